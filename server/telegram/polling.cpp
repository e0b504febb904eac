#include "server/telegram/polling.hpp"

#include "base/log.hpp"

#include <algorithm>
#include <map>

namespace postrider::telegram {

namespace {

using base::errc;

// What Telegram delivers in order: the updates of a chat, the presses of a user.
std::int64_t queue_of(update const& u) {
    if (auto* m = std::get_if<new_message>(&u.what)) return base::raw(m->message.where.id);
    if (auto* m = std::get_if<edited_message>(&u.what)) return base::raw(m->message.where.id);
    if (auto* m = std::get_if<membership>(&u.what)) return base::raw(m->where.id);
    if (auto* press = std::get_if<button_press>(&u.what)) return base::raw(press->from.id);
    return 0;
}

// The updates of one answer that are on their way into the inbox.
struct wave {
    explicit wave(base::asio::any_io_executor executor) : done(std::move(executor)) {}
    std::size_t open = 0;
    base::signal done;
};

class bot_poller final : public poller {
public:
    bot_poller(
        base::asio::any_io_executor executor,
        bot& of,
        intake& inbox,
        base::random_source& random,
        polling_options options
    )
        : executor_(executor),
          bot_(of),
          inbox_(inbox),
          random_(random),
          options_(options),
          tasks_(executor) {}

    void start() override { tasks_.spawn("telegram.poll", run()); }

    base::awaitable<void> stop() override {
        tasks_.cancel();
        co_await tasks_.join();
    }

private:
    base::awaitable<void> run() {
        int failures = 0;
        for (bool webhook = true;;) {
            co_await bot_.breaker->until_running();
            if (webhook) {
                auto removed = co_await bot_.api->delete_webhook();
                webhook = !removed;
                if (!removed) co_await put_off(removed.error().why, ++failures);
                continue;
            }
            auto bodies = co_await bot_.api->get_updates(offset_, options_.wait);
            if (!bodies) {
                co_await put_off(bodies.error().why, ++failures);
                continue;
            }
            failures = 0;
            co_await accept_all(std::move(*bodies));
        }
    }

    base::awaitable<void> put_off(base::error why, int failures) {
        if (why == errc::unauthorized) {
            bot_.breaker->trip(why.detail);
            co_return;
        }
        if (why == errc::conflict) why.detail += " (is the bot polled elsewhere, too?)";
        base::log::warn("telegram.poll_failed", {{"bot", bot_.settings.id}, {"error", why}});
        co_await base::sleep_for(delay_after(failures, why));
    }

    base::duration delay_after(int failures, base::error const& why) {
        if (why.retry_after) return *why.retry_after;
        auto const doubled = options_.first_delay * (std::int64_t{1} << std::min(failures - 1, 20));
        auto const capped = std::min(doubled, options_.longest_delay);
        return std::chrono::duration_cast<base::duration>(
            capped * (0.8 + 0.4 * base::uniform(random_))
        );
    }

    base::awaitable<void> accept_all(std::vector<std::string> bodies) {
        std::map<std::int64_t, std::vector<std::string>> queues;
        auto next = offset_;
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
            next = std::max(next, update_id{base::raw(id) + 1});
            queues[queue].push_back(std::move(body));
        }
        auto running = std::make_shared<wave>(executor_);
        running->open = queues.size();
        for (auto& [queue, waiting] : queues)
            tasks_.spawn("telegram.accept", accept_in_order(std::move(waiting), running));
        while (running->open > 0) co_await running->done.wait();
        offset_ = next;
    }

    base::awaitable<void> accept_in_order(
        std::vector<std::string> bodies, std::shared_ptr<wave> running
    ) {
        for (auto const& body : bodies) co_await accept_one(body);
        if (--running->open == 0) running->done.notify();
    }

    // The next update of a chat waits until this one is stored, as Telegram's webhook sender does
    // it.
    base::awaitable<void> accept_one(std::string const& body) {
        for (int failures = 1;; ++failures) {
            auto stored = co_await inbox_.accept(bot_.settings, body);
            if (stored || stored.error() == errc::invalid) co_return;
            base::log::warn(
                "telegram.update_put_off", {{"bot", bot_.settings.id}, {"error", stored.error()}}
            );
            co_await base::sleep_for(delay_after(failures, stored.error()));
        }
    }

    base::asio::any_io_executor executor_;
    bot& bot_;
    intake& inbox_;
    base::random_source& random_;
    polling_options options_;
    update_id offset_{0};
    base::task_group tasks_;
};

} // namespace

std::unique_ptr<poller> make_poller(
    base::asio::any_io_executor executor,
    bot& of,
    intake& inbox,
    base::random_source& random,
    polling_options options
) {
    return std::make_unique<bot_poller>(executor, of, inbox, random, options);
}

} // namespace postrider::telegram
