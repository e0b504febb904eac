#include "bench/group_load.hpp"

#include "bench/load_connection.hpp"
#include "bench/outside_world.hpp"
#include "bench/report.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

namespace postrider::bench {

namespace {

using namespace std::chrono_literals;

constexpr auto longest_wait = 120s;

class groups {
public:
    groups(boost::asio::any_io_executor executor, group_plan plan, update_source source)
        : plan_(std::move(plan)),
          source_(std::move(source)),
          came_(executor),
          world_(
              executor,
              {.listen = plan_.stub,
               .on_sent = [this](chat_id chat) { note(chat); },
               .speaks_by_tool = true,
               .model_takes = plan_.model_takes}
          ) {}

    base::awaitable<void> run() {
        if (auto started = world_.start(); !started)
            throw std::runtime_error(base::to_string(started.error()));
        auto product = co_await load_connection::open(plan_.server);
        auto const began = clock_.steady();
        auto const count = plan_.length.count() * plan_.messages_per_second;
        for (std::int64_t number = 0; number < count; ++number) {
            auto const due = began + number * 1'000'000us / plan_.messages_per_second;
            if (auto const remaining = due - clock_.steady(); remaining > 0us)
                co_await base::sleep_for(remaining);
            auto const request = source_.next();
            // A message at a time: else nobody knows which of them an answer is to.
            if (!waiting_.try_emplace(request.chat, clock_.steady()).second) {
                ++held_back_;
                continue;
            }
            auto const answer = co_await product.exchange(request.bytes);
            if (answer.status != 200)
                throw std::runtime_error(fmt::format("the webhook answered {}", answer.status));
        }
        auto const end = clock_.steady() + longest_wait;
        while (!waiting_.empty()) {
            (void)co_await came_.wait_for(1s);
            if (clock_.steady() > end)
                throw std::runtime_error(fmt::format("{} groups got no answer", waiting_.size()));
        }
        auto const& received = world_.seen();
        fmt::print("messages={}\nheld_back={}\n", count - held_back_, held_back_);
        fmt::print("answers={}\nmodel={}\n", answers_.size(), received.model);
        fmt::print("{}", to_lines("answer", answers_));
        co_await world_.stop();
    }

private:
    void note(chat_id chat) {
        auto const asked = waiting_.find(chat);
        if (asked == waiting_.end()) return;
        answers_.add(clock_.steady() - asked->second);
        waiting_.erase(asked);
        came_.notify();
    }

    group_plan plan_;
    update_source source_;
    base::clock& clock_ = base::system_clock();
    base::signal came_;
    std::map<chat_id, base::steady_time> waiting_;
    std::int64_t held_back_ = 0; // their chats still waited
    samples answers_;
    outside_world world_;
};

} // namespace

base::awaitable<void> run_groups(group_plan plan, update_source source) {
    auto executor = co_await base::asio::this_coro::executor;
    groups load{executor, std::move(plan), std::move(source)};
    co_await load.run();
}

} // namespace postrider::bench
