#include "bench/latency.hpp"

#include "bench/engine_watch.hpp"
#include "bench/outside_world.hpp"
#include "bench/report.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

namespace postrider::bench {

namespace {

using namespace std::chrono_literals;

class conversation {
public:
    conversation(boost::asio::any_io_executor executor, latency_plan plan, update_source source)
        : plan_(std::move(plan)),
          source_(std::move(source)),
          came_(executor),
          world_(executor, {.listen = plan_.stub, .on_sent = [this](chat_id to) { note(to); }}) {}

    base::awaitable<void> run() {
        if (auto started = world_.start(); !started)
            throw std::runtime_error(base::to_string(started.error()));
        auto product = co_await load_connection::open(plan_.server);
        std::uint64_t over = 0;
        if (plan_.metrics) over = (co_await read_engine(product)).over;
        for (int i = 0; i < plan_.warm_up; ++i) co_await say(product);
        accepts_ = {};
        replies_ = {};
        for (int i = 0; i < plan_.messages; ++i) co_await say(product);
        auto const said = static_cast<std::uint64_t>(plan_.warm_up + plan_.messages);
        if (plan_.metrics) co_await until_idle(product, over + said);
        co_await world_.stop();
        fmt::print("messages={}\n", replies_.size());
        fmt::print("{}{}", to_lines("low_accept", accepts_), to_lines("reply", replies_));
    }

private:
    base::awaitable<void> say(load_connection& product) {
        auto const request = source_.next();
        awaited_ = request.chat;
        replied_at_.reset();
        auto const sent_at = clock_.steady();
        auto const answer = co_await product.exchange(request.bytes);
        accepts_.add(clock_.steady() - sent_at);
        if (answer.status != 200)
            throw std::runtime_error(fmt::format("the webhook answered {}", answer.status));
        while (!replied_at_)
            if (!co_await came_.wait_for(10s)) throw std::runtime_error("no reply in ten seconds");
        replies_.add(*replied_at_ - sent_at);
        co_await base::sleep_for(plan_.pause);
    }

    void note(chat_id to) {
        if (to != awaited_ || replied_at_) return;
        replied_at_ = clock_.steady();
        came_.notify();
    }

    latency_plan plan_;
    update_source source_;
    base::clock& clock_ = base::system_clock();
    base::signal came_;
    chat_id awaited_{};
    std::optional<base::steady_time> replied_at_;
    samples accepts_;
    samples replies_;
    outside_world world_;
};

} // namespace

base::awaitable<void> run_latency(latency_plan plan, update_source source) {
    auto executor = co_await base::asio::this_coro::executor;
    conversation all{executor, std::move(plan), std::move(source)};
    co_await all.run();
}

} // namespace postrider::bench
