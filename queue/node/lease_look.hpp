#pragma once
// Where a node looks for its leases at a heartbeat.
//
// While somebody holds an old snapshot, the index of leases keeps an entry of every lease that has
// ended since, and a look through all of them would take seconds in the end. So a look asks for the
// leases of the look before one by one, and for all with an epoch above a floor. No lease is missed:
// the floor rises to a number only once every transaction that could have drawn an epoch up to it is
// over and was seen by a look from below. A transaction that stays open keeps the floor where it is,
// if it has written something. Where numbers fall (a standby that lagged took over), it begins anew.
#include "base/ids.hpp"
#include "queue/job.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace postrider::queue {

// What a look tells of the moment at which it was made. Transactions have ascending numbers.
struct look_horizon {
    std::int64_t drawn = 0;       // the last number that the epochs' sequence gave
    std::int64_t transaction = 0; // its own
    std::int64_t oldest = 0;      // every transaction below is over, and the look has seen its rows
};

class lease_look {
public:
    // A node's id comes from the sequence of the epochs, so its leases have greater ones.
    explicit lease_look(node_id node = {}) : floor_(base::raw(node)) {}

    std::int64_t floor() const noexcept { return floor_; }
    // For leases of nodes that have left: a commit that was under way then may be older than this node.
    std::int64_t floor_of_others() const noexcept { return risen_ ? floor_ : 0; }
    // The leases of the last look whose epochs are not above the floor.
    std::vector<lane_epoch> older() const;

    // A transaction has its number before it draws an epoch: it locks the lane first. So whatever was
    // drawn up to one look was drawn by transactions below that of the next. False: this look began
    // too high, since numbers fell, and its leases may not be all.
    [[nodiscard]] bool note(look_horizon const& horizon, std::vector<lane_epoch> leases);

private:
    std::int64_t floor_ = 0;
    bool risen_ = false;
    std::vector<lane_epoch> leases_;
    struct rise {
        std::int64_t to = 0;
        std::int64_t transaction = 0; // once all below are over
    };
    std::optional<rise> awaited_;
    std::optional<look_horizon> last_;
};

} // namespace postrider::queue
