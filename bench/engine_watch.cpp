#include "bench/engine_watch.hpp"

#include <charconv>
#include <stdexcept>

namespace postrider::bench {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view request = "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

std::uint64_t sample(std::string_view metrics, std::string const& name) {
    auto const at = metrics.find("\n" + name + " ");
    if (at == metrics.npos) throw std::runtime_error("/metrics does not tell " + name);
    auto const from = metrics.substr(at + name.size() + 2);
    double value = 0;
    std::from_chars(from.data(), from.data() + from.size(), value);
    return static_cast<std::uint64_t>(value);
}

} // namespace

base::awaitable<engine_state> read_engine(load_connection& product) {
    auto const answer = co_await product.exchange(request);
    engine_state now;
    now.failed = sample(answer.body, R"(postrider_engine_runs_total{event="failed"})");
    now.over =
        now.failed + sample(answer.body, R"(postrider_engine_runs_total{event="completed"})");
    now.busy = sample(answer.body, "postrider_engine_slots_busy");
    co_return now;
}

base::awaitable<engine_state> until_idle(load_connection& product, std::uint64_t over) {
    auto now = co_await read_engine(product);
    while (now.over < over || now.busy > 0) {
        co_await base::sleep_for(20ms);
        now = co_await read_engine(product);
    }
    co_return now;
}

} // namespace postrider::bench
