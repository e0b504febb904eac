#pragma once
// Where a node looks for its leases at a heartbeat.
//
// While somebody holds an old snapshot, the index of leases keeps an entry of every lease that has
// ended since, and a look through all of them would take seconds in the end. So a look asks for the
// leases of the look before one by one, and for all with an epoch above a floor. No lease is missed:
// the floor rises to a number only once every transaction that could have drawn an epoch up to it is
// over and was seen by a look from below.
#include "base/ids.hpp"
#include "queue/job.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace postrider::queue {

// What a look tells of the moment at which it was made. Transactions have ascending numbers.
struct look_horizon {
    std::int64_t drawn = 0;       // the last number of the epochs' sequence
    std::int64_t transaction = 0; // its own
    std::int64_t oldest = 0;      // every transaction below is over, and the look has seen its rows
};

class lease_look {
public:
    // A node's id comes from the sequence of the epochs, so its leases have greater ones.
    explicit lease_look(node_id node = {}) : floor_(base::raw(node)) {}

    std::int64_t floor() const noexcept { return floor_; }
    // The leases of the last look whose epochs are not above the floor.
    std::vector<lane_epoch> older() const;

    // A transaction has its number before it draws an epoch: it locks the lane first. So whatever was
    // drawn up to one look was drawn by transactions below that of the next.
    void note(look_horizon const& seen, std::vector<lane_epoch> leases);

private:
    std::int64_t floor_ = 0;
    std::vector<lane_epoch> leases_;
    struct rise {
        std::int64_t to = 0;
        std::int64_t transaction = 0; // once all below are over
    };
    std::optional<rise> awaited_;
    std::optional<std::int64_t> drawn_; // as of the last look
};

} // namespace postrider::queue
