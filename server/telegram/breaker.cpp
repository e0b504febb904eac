#include "server/telegram/breaker.hpp"

#include "base/log.hpp"
#include "storage/stores/bots.hpp"

#include <algorithm>

namespace postrider::telegram {

namespace {

constexpr base::duration breaker_deadline = std::chrono::seconds{5};

} // namespace

bot_breaker::bot_breaker(
    base::asio::any_io_executor executor,
    bot_id bot,
    bot_api& api,
    storage::database& db,
    breaker_options options
)
    : bot_(bot),
      api_(api),
      db_(db),
      options_(std::move(options)),
      running_(executor),
      look_(executor),
      tasks_(std::move(executor)) {}

bool bot_breaker::stopped_here_only() const {
    return stopped_ && options_.runs_elsewhere && options_.runs_elsewhere();
}

void bot_breaker::trip(std::string reason) {
    if (stopped_) return;
    stopped_ = true;
    base::log::error("telegram.bot_stopped", {{"bot", bot_}, {"reason", reason}});
    if (options_.on_stopped) options_.on_stopped(reason);
    tasks_.spawn("telegram.probe", probe(std::move(reason)));
}

void bot_breaker::found_working() {
    if (stopped_)
        look_again(); // the probe ends what it began
    else if (options_.on_running)
        options_.on_running();
}

void bot_breaker::look_again() {
    look_.notify();
}

base::awaitable<void> bot_breaker::until_running() {
    while (stopped_) co_await running_.wait();
}

base::awaitable<void> bot_breaker::close() {
    tasks_.cancel();
    co_await tasks_.join();
}

base::awaitable<void> bot_breaker::probe(std::string reason) {
    auto stored = co_await storage::store_stopped(db_, bot_, std::move(reason), breaker_deadline);
    if (!stored) base::log::warn("telegram.not_stored", {{"bot", bot_}, {"error", stored.error()}});
    auto delay = options_.first_probe;
    for (;;) {
        (void)co_await look_.wait_for(delay);
        auto identity = co_await api_.get_me();
        if (identity) break;
        delay = std::min(delay * 2, options_.longest_probe);
    }
    stored = co_await storage::store_running(db_, bot_, breaker_deadline);
    if (!stored) base::log::warn("telegram.not_stored", {{"bot", bot_}, {"error", stored.error()}});
    stopped_ = false;
    base::log::info("telegram.bot_running", {{"bot", bot_}});
    running_.notify();
    if (options_.on_running) options_.on_running();
}

} // namespace postrider::telegram
