#include "bench/burst.hpp"

#include "bench/engine_watch.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace postrider::bench {

namespace {

class burst {
public:
    burst(boost::asio::any_io_executor executor, burst_plan plan, update_source source)
        : plan_(std::move(plan)),
          source_(std::move(source)),
          posters_(std::move(executor)) {}

    base::awaitable<void> run() {
        auto watch = co_await load_connection::open(plan_.server);
        auto const before = co_await read_engine(watch);
        begin_ = clock_.steady();
        for (int i = 0; i < plan_.connections; ++i) posters_.spawn("poster", post());
        co_await posters_.join();
        if (ended_ != plan_.connections) throw std::runtime_error("a connection broke");
        auto const accepting = elapsed();

        auto const after = co_await until_idle(watch, before.over + accepted_);
        auto const all = elapsed();
        fmt::print("accepted={}\nrefused={}\n", accepted_, refused_);
        fmt::print("accepted_per_s={:.0f}\n{}", per_second(accepting), to_lines("accept", waits_));
        fmt::print(
            "failed={}\nfinished_per_s={:.0f}\n", after.failed - before.failed, per_second(all)
        );
    }

private:
    base::awaitable<void> post() {
        auto connection = co_await load_connection::open(plan_.server);
        while (begun_ < plan_.updates && elapsed() < plan_.time) {
            ++begun_;
            auto const request = source_.next();
            auto const sent_at = clock_.steady();
            auto const answer = co_await connection.exchange(request.bytes);
            waits_.add(clock_.steady() - sent_at);
            ++(answer.status == 200 ? accepted_ : refused_);
        }
        ++ended_;
    }

    base::duration elapsed() const { return clock_.steady() - begin_; }
    double per_second(base::duration in) const {
        return static_cast<double>(accepted_) / std::chrono::duration<double>(in).count();
    }

    burst_plan plan_;
    update_source source_;
    base::clock& clock_ = base::system_clock();
    base::steady_time begin_;
    std::uint64_t begun_ = 0;
    std::uint64_t accepted_ = 0;
    std::uint64_t refused_ = 0;
    int ended_ = 0;
    samples waits_;
    base::task_group posters_;
};

} // namespace

base::awaitable<void> run_burst(burst_plan plan, update_source source) {
    auto executor = co_await base::asio::this_coro::executor;
    burst all{executor, std::move(plan), std::move(source)};
    co_await all.run();
}

} // namespace postrider::bench
