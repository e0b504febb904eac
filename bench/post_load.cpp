#include "bench/post_load.hpp"

#include "bench/report.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace postrider::bench {

namespace {

class post_load {
public:
    post_load(boost::asio::any_io_executor executor, std::string server, std::uint64_t requests)
        : server_(std::move(server)),
          requests_(requests),
          posters_(std::move(executor)) {}

    base::awaitable<void> run(std::vector<std::shared_ptr<post_source>> sources) {
        auto const connections = sources.size();
        auto const begin = clock_.steady();
        for (auto& source : sources) posters_.spawn("poster", keep_posting(std::move(source)));
        co_await posters_.join();
        if (ended_ != connections) throw std::runtime_error("a connection broke");
        std::chrono::duration<double> const seconds = clock_.steady() - begin;
        fmt::print(
            "accepted={}\nrefused={}\naccepted_per_s={:.0f}\n{}",
            accepted_,
            refused_,
            static_cast<double>(accepted_) / seconds.count(),
            to_lines("accept", waits_)
        );
    }

private:
    base::awaitable<void> keep_posting(std::shared_ptr<post_source> source) {
        auto connection = co_await load_connection::open(server_);
        while (begun_ < requests_) {
            ++begun_;
            auto const request = source->next();
            auto const sent_at = clock_.steady();
            auto const answer = co_await connection.exchange(request);
            waits_.add(clock_.steady() - sent_at);
            ++(source->accepts(answer) ? accepted_ : refused_);
        }
        ++ended_;
    }

    std::string server_;
    std::uint64_t requests_;
    base::clock& clock_ = base::system_clock();
    std::uint64_t begun_ = 0;
    std::uint64_t accepted_ = 0;
    std::uint64_t refused_ = 0;
    std::size_t ended_ = 0;
    samples waits_;
    base::task_group posters_;
};

} // namespace

std::string post(
    std::string_view path, std::string_view token, std::string_view body, std::string_view fields
) {
    return fmt::format(
        "POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        "Authorization: Bearer {}\r\n{}Content-Length: {}\r\n\r\n{}",
        path,
        token,
        fields,
        body.size(),
        body
    );
}

base::awaitable<void> post_all(
    std::string server, std::vector<std::shared_ptr<post_source>> sources, std::uint64_t requests
) {
    auto executor = co_await base::asio::this_coro::executor;
    post_load load{executor, std::move(server), requests};
    co_await load.run(std::move(sources));
}

} // namespace postrider::bench
