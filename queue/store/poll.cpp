#include "queue/store/poll.hpp"

#include "base/log.hpp"
#include "storage/query.hpp"
#include "storage/reachability.hpp"

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;

constexpr auto poll_deadline = 5s;

} // namespace

poll::poll(
    boost::asio::any_io_executor executor,
    storage::batcher& quick,
    base::clock& clock,
    std::function<base::duration()> interval
)
    : quick_(quick),
      clock_(clock),
      interval_(std::move(interval)),
      wake_(std::move(executor)) {}

void poll::add(storage::statement const& statement, std::string row, handler take) {
    writes_.push_back({&statement, std::move(row)});
    rows_.emplace_back();
    handlers_.push_back(std::move(take));
}

void poll::add_changing(
    storage::statement const& statement, std::function<std::string()> row, handler take
) {
    add(statement, {}, std::move(take));
    rows_.back() = std::move(row);
}

void poll::now() {
    asked_ = true;
    wake_.notify();
}

base::awaitable<void> poll::run() {
    while (true) {
        auto const began = clock_.steady();
        asked_ = false;
        co_await read();
        while (!asked_) {
            auto const left = began + interval_() - clock_.steady();
            if (left <= 0ns) break;
            co_await wake_.wait_for(left);
        }
    }
}

base::awaitable<void> poll::read() {
    for (std::size_t n = 0; n < rows_.size(); ++n)
        if (rows_[n]) writes_[n].row = rows_[n]();
    // Pauses lock lanes in an order of their own.
    auto returned = co_await storage::query_apart(quick_, writes_, poll_deadline);
    auto const now = clock_.steady();
    if (!returned) {
        if (outage_.failed(now, storage::tolerated(returned.error())))
            base::log::warn("node.poll_failed", {{"error", returned.error()}});
        co_return;
    }
    if (auto const lasted = outage_.over(now))
        base::log::info("node.poll_resumed", {{"after", *lasted}});
    for (std::size_t n = 0; n < handlers_.size(); ++n) handlers_[n]((*returned)[n]);
}

} // namespace postrider::queue
