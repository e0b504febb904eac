#pragma once
// Which node polls a bot for updates. A lease counts for as long as its node beats, by the
// database's clock, so its renewal costs nothing. Failures as in database.hpp.
#include "base/ids.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <chrono>

namespace postrider::storage {

// A heartbeat that is older renews no lease any more. By then the node itself has ceased to act,
// after two thirds of its silence; and the others, which look with each heartbeat of their own,
// take over within ten seconds.
inline constexpr std::chrono::milliseconds poll_silence = std::chrono::seconds{7};

struct poll_holder {
    bot_id bot{};
    node_id node{};
};

// Takes the lease. False: another node that beats has it.
base::awaitable<base::result<bool>> lease_poll(
    database& db, poll_holder holder, base::duration deadline
);
// Gives it back, if it is still the holder's.
base::awaitable<base::result<void>> release_poll(
    database& db, poll_holder holder, base::duration deadline
);

// For a heartbeat: the leases that count. It waits for no lock.
write read_poll_holders();
// A row that it returned.
poll_holder poll_holder_from(row const& found);

} // namespace postrider::storage
