#include "server/telegram/poll_lease.hpp"

#include "base/log.hpp"
#include "storage/stores/poll_leases.hpp"

namespace postrider::telegram {

namespace {

constexpr base::duration deadline = std::chrono::seconds{3};

class stored_lease final : public poll_lease {
public:
    stored_lease(storage::database& db, storage::poll_holder holder) : db_(db), holder_(holder) {}

    base::awaitable<base::result<bool>> take(base::duration length) override {
        auto const whole = std::chrono::duration_cast<std::chrono::milliseconds>(length);
        return storage::lease_poll(db_, holder_, whole, deadline);
    }

    base::awaitable<void> release() override {
        auto released = co_await storage::release_poll(db_, holder_, deadline);
        if (!released)
            base::log::warn(
                "telegram.lease_kept", {{"bot", holder_.bot}, {"error", released.error()}}
            );
    }

private:
    storage::database& db_;
    storage::poll_holder holder_;
};

} // namespace

std::unique_ptr<poll_lease> make_poll_lease(
    storage::database& db, bot_id bot, base::random_source& random
) {
    auto const process = static_cast<std::int64_t>(base::uint64(random) >> 1);
    return std::make_unique<stored_lease>(db, storage::poll_holder{bot, process});
}

} // namespace postrider::telegram
