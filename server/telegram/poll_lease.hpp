#pragma once
// The right to poll a bot, which one process has at a time. On the executor's one thread.
#include "base/async.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "storage/database.hpp"

#include <memory>

namespace postrider::telegram {

class poll_lease {
public:
    virtual ~poll_lease() = default;
    // Takes it, or renews it, for so long from now on. False: another process has it.
    virtual base::awaitable<base::result<bool>> take(base::duration length) = 0;
    virtual base::awaitable<void> release() = 0;
};

// In Postgres. Everything given must outlive it.
std::unique_ptr<poll_lease> make_poll_lease(
    storage::database& db, bot_id bot, base::random_source& random
);

} // namespace postrider::telegram
