#include "server/telegram/polling.hpp"

#include "base/log.hpp"
#include "base/outage.hpp"
#include "server/telegram/pending_updates.hpp"
#include "storage/reachability.hpp"

#include <algorithm>
#include <deque>
#include <map>

namespace postrider::telegram {

namespace {

using base::errc;

// What Telegram delivers in order: the updates of a chat, the presses of a user. One that cannot be stored holds up
// no other chat.
std::int64_t queue_of(update const& u) {
    if (auto* m = std::get_if<new_message>(&u.content)) return base::raw(m->message.where.id);
    if (auto* m = std::get_if<edited_message>(&u.content)) return base::raw(m->message.where.id);
    if (auto* change = std::get_if<member_change>(&u.content))
        return base::raw(change->is_own ? change->where.id : chat_id{base::raw(change->member.id)});
    if (auto* press = std::get_if<button_press>(&u.content)) return base::raw(press->from.id);
    if (auto* reaction = std::get_if<reaction_update>(&u.content))
        return base::raw(reaction->where.id);
    if (auto* join = std::get_if<join_update>(&u.content)) return base::raw(join->where.id);
    if (auto* deleted = std::get_if<deleted_messages>(&u.content))
        return base::raw(deleted->where.id);
    if (auto* stopped = std::get_if<stopped_draft>(&u.content)) return base::raw(stopped->where.id);
    return 0;
}

class bot_poller final : public poller {
public:
    bot_poller(
        base::asio::any_io_executor executor,
        bot& polled_bot,
        intake& inbox,
        poll_lease& lease,
        base::random_source& random,
        polling_options options
    )
        : bot_(polled_bot),
          inbox_(inbox),
          lease_(lease),
          random_(random),
          options_(options),
          settled_(executor),
          chats_(executor),
          tasks_(std::move(executor)) {}

    void start() override { tasks_.spawn("telegram.poll", run()); }

    base::awaitable<void> stop() override {
        tasks_.cancel();
        co_await tasks_.join();
        (void)co_await leave();
    }

private:
    struct waiting_update {
        update_id id{};
        std::string body;
    };
    using update_queue = std::deque<waiting_update>;

    base::awaitable<void> run() {
        int failures = 0;
        for (bool webhook = true;;) {
            // Another process may have a token that works.
            while (bot_.breaker->stopped()) {
                bool const left = co_await leave();
                if (left) break;
                co_await base::sleep_for(options_.lease_retry);
            }
            co_await bot_.breaker->until_running();
            auto const leased = co_await hold_lease();
            if (!leased) continue;
            if (webhook) {
                auto removed = co_await bot_.api->delete_webhook();
                webhook = !removed;
                if (!removed) co_await put_off(removed.error().cause, ++failures);
                continue;
            }
            auto const offset = pending_.offset();
            auto bodies = co_await bot_.api->get_updates(offset, options_.wait, kinds_for(bot_));
            if (!lease_.held()) continue;
            if (!bodies) {
                co_await put_off(bodies.error().cause, ++failures);
                continue;
            }
            failures = 0;
            pending_.confirmed(offset);
            bool const any_new = line_up(std::move(*bodies));
            co_await let_settle(any_new);
        }
    }

    // Before every poll. False, after a while, when there is none.
    base::awaitable<bool> hold_lease() {
        asked_ = true;
        auto lease = co_await lease_.take();
        bool const has_lease = lease && *lease;
        if (has_lease != leased_ && lease) {
            leased_ = has_lease;
            if (has_lease)
                base::log::info("telegram.poll_begun", {{"bot", bot_.settings.name}});
            else
                base::log::info("telegram.poll_left", {{"bot", bot_.settings.name}});
            // The other process is given by Telegram what is not confirmed.
            if (!has_lease) co_await forget_updates();
        }
        note_lease(lease);
        if (!has_lease) co_await base::sleep_for(options_.lease_retry);
        co_return has_lease;
    }

    void note_lease(base::result<bool> const& lease) {
        auto const now = base::system_clock().steady();
        if (!lease) {
            if (lease_outage_.failed(now, storage::tolerated(lease.error())))
                base::log::warn(
                    "telegram.lease_failed", {{"bot", bot_.settings.name}, {"error", lease.error()}}
                );
        } else if (auto const lasted = lease_outage_.over(now)) {
            base::log::info(
                "telegram.lease_resumed", {{"bot", bot_.settings.name}, {"after", *lasted}}
            );
        }
    }

    // For the other processes: gives the lease back, also where the answer to its last renewal was
    // not waited for. False: it could not be given back.
    base::awaitable<bool> leave() {
        co_await forget_updates();
        if (!asked_) co_return true;
        if (std::exchange(leased_, false))
            base::log::info("telegram.poll_left", {{"bot", bot_.settings.name}});
        bool const released = co_await lease_.release();
        asked_ = !released; // where it was cancelled meanwhile, stop() gives it back
        co_return released;
    }

    base::awaitable<void> forget_updates() {
        chats_.cancel();
        co_await chats_.join();
        queues_.clear();
        pending_.clear();
        advancing_ = 0;
    }

    base::awaitable<void> put_off(base::error reason, int failures) {
        if (reason == errc::unauthorized) {
            bot_.breaker->trip(reason.detail);
            co_return;
        }
        if (reason == errc::conflict) reason.detail += " (is the bot polled elsewhere, too?)";
        base::log::warn("telegram.poll_failed", {{"bot", bot_.settings.name}, {"error", reason}});
        co_await base::sleep_for(delay_after(failures, reason));
    }

    base::duration delay_after(int failures, base::error const& reason) {
        if (reason.retry_after) return *reason.retry_after;
        auto const doubled = options_.first_delay * (std::int64_t{1} << std::min(failures - 1, 20));
        auto const capped = std::min(doubled, options_.longest_delay);
        return std::chrono::duration_cast<base::duration>(
            capped * (0.8 + 0.4 * base::uniform(random_))
        );
    }

    // Puts what is new behind what its chat waits for. False: nothing is new.
    bool line_up(std::vector<std::string> bodies) {
        bool any_new = false;
        for (auto& body : bodies) {
            auto const parsed = parse_update(body);
            std::int64_t queue = 0;
            update_id id{};
            if (auto* u = std::get_if<update>(&parsed)) {
                id = u->id;
                queue = queue_of(*u);
            } else if (auto* unusable = std::get_if<unusable_update>(&parsed)) {
                id = unusable->id;
            }
            if (!pending_.add(id)) continue;
            any_new = true;
            auto& waiting = queues_[queue];
            waiting.push_back({id, std::move(body)});
            if (waiting.size() > 1) continue;
            ++advancing_;
            chats_.spawn("telegram.accept", accept_in_order(queue, waiting));
        }
        return any_new;
    }

    // Until every chat's updates are stored, or what is left is held up by a failure. While
    // Telegram has nothing but those, it is asked now and then.
    base::awaitable<void> let_settle(bool any_new) {
        while (advancing_ > 0) co_await settled_.wait();
        if (!any_new && !pending_.empty()) co_await settled_.wait_for(options_.first_delay);
    }

    // The next update of a chat waits until this one is stored, as Telegram's webhook sender does
    // it.
    base::awaitable<void> accept_in_order(std::int64_t queue, update_queue& waiting) {
        while (!waiting.empty()) {
            auto const& next = waiting.front();
            co_await accept_one(next.body);
            pending_.stored(next.id);
            waiting.pop_front();
        }
        queues_.erase(queue);
        --advancing_;
        settled_.notify();
    }

    base::awaitable<void> accept_one(std::string const& body) {
        for (int failures = 0;;) {
            auto stored = co_await inbox_.accept(bot_.settings, body);
            if (stored || stored.error() == errc::invalid) {
                if (failures > 0) ++advancing_;
                note_stored();
                co_return;
            }
            if (++failures == 1) {
                --advancing_;
                settled_.notify();
            }
            note_put_off(stored.error());
            co_await base::sleep_for(delay_after(failures, stored.error()));
        }
    }

    // What other chats store ends no outage while one is held up.
    void note_stored() {
        if (advancing_ == queues_.size()) (void)store_outage_.over(base::system_clock().steady());
    }

    void note_put_off(base::error const& error) {
        if (store_outage_.failed(base::system_clock().steady(), storage::tolerated(error)))
            base::log::warn(
                "telegram.update_put_off", {{"bot", bot_.settings.name}, {"error", error}}
            );
    }

    bot& bot_;
    intake& inbox_;
    poll_lease& lease_;
    base::random_source& random_;
    polling_options options_;
    bool asked_ = false; // for the lease
    bool leased_ = false;
    base::outage lease_outage_;
    base::outage store_outage_; // of the updates that came
    pending_updates pending_;
    std::map<std::int64_t, update_queue> queues_; // by chat
    std::size_t advancing_ = 0;                   // queues that no failure holds up
    base::signal settled_;
    base::task_group chats_;
    base::task_group tasks_;
};

} // namespace

std::unique_ptr<poller> make_poller(
    base::asio::any_io_executor executor,
    bot& polled_bot,
    intake& inbox,
    poll_lease& lease,
    base::random_source& random,
    polling_options options
) {
    return std::make_unique<bot_poller>(
        std::move(executor), polled_bot, inbox, lease, random, options
    );
}

} // namespace postrider::telegram
