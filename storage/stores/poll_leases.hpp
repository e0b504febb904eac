#pragma once
// Which process polls a bot for updates. A lease counts by the database's clock; failures as in
// database.hpp.
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <chrono>
#include <cstdint>

namespace postrider::storage {

struct poll_holder {
    bot_id bot{};
    std::int64_t process = 0; // a number that no other process has
};

// Takes the lease, or renews it, for so long from now on. False: another process has it.
base::awaitable<base::result<bool>> lease_poll(
    database& db, poll_holder holder, std::chrono::milliseconds length, base::duration deadline
);
// Gives it back, if it is still the holder's.
base::awaitable<base::result<void>> release_poll(
    database& db, poll_holder holder, base::duration deadline
);

} // namespace postrider::storage
