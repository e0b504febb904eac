#include "server/telegram/poll_lease.hpp"

#include "base/log.hpp"
#include "storage/stores/poll_leases.hpp"

namespace postrider::telegram {

namespace {

constexpr base::duration deadline = std::chrono::seconds{3};

} // namespace

class poll_leases::stored_lease final : public poll_lease {
public:
    stored_lease(poll_leases& leases, bot_id bot) : all_(leases), bot_(bot) {}

    base::awaitable<base::result<bool>> take() override {
        if (!all_.node_.alive())
            co_return base::error(base::errc::unavailable, "no heartbeat reaches the database");
        if (all_.taken_.contains(bot_)) co_return true;
        if (all_.elsewhere_.contains(bot_)) co_return false;
        storage::poll_holder const holder{bot_, all_.node_.self()};
        auto taken = co_await storage::lease_poll(all_.db_, holder, deadline);
        if (taken && *taken) all_.taken_.insert({bot_, 0});
        co_return taken;
    }

    bool held() const override { return all_.taken_.contains(bot_) && all_.node_.alive(); }

    base::awaitable<bool> release() override {
        all_.taken_.erase(bot_);
        storage::poll_holder const holder{bot_, all_.node_.self()};
        auto released = co_await storage::release_poll(all_.db_, holder, deadline);
        if (!released)
            base::log::warn("telegram.lease_kept", {{"bot", bot_}, {"error", released.error()}});
        co_return released.has_value();
    }

private:
    poll_leases& all_;
    bot_id bot_;
};

poll_leases::poll_leases(queue::engine& node, storage::database& db) : node_(node), db_(db) {
    node_.add_beat_read(storage::read_poll_holders(), [this](storage::rows const& holders) {
        elsewhere_.clear();
        for (auto& [bot, missed] : taken_) ++missed;
        for (auto const& row : holders) {
            auto const holder = storage::poll_holder_from(row);
            // What was read may be older than a lease of this node's that began or ended meanwhile.
            if (holder.node == node_.self()) {
                if (auto const own = taken_.find(holder.bot); own != taken_.end()) own->second = 0;
                continue;
            }
            elsewhere_.insert(holder.bot);
            taken_.erase(holder.bot);
        }
        // Somebody deleted the row: the second of these reads began after the lease was taken.
        std::erase_if(taken_, [](auto const& own) { return own.second > 1; });
    });
}

std::unique_ptr<poll_lease> poll_leases::of(bot_id bot) {
    return std::make_unique<stored_lease>(*this, bot);
}

} // namespace postrider::telegram
