#include "queue/limits/bucket_asks.hpp"

#include "storage/query.hpp"

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;

constexpr auto bucket_deadline = 5s;
// Longer than another node's question takes by far.
constexpr auto longest_lock = 1s;
constexpr auto between_tries = 20ms;

} // namespace

class bucket_asks::line_hold {
public:
    line_hold(line& held, base::signal& freed) : line_(held), freed_(freed) { line_.taken = true; }
    ~line_hold() {
        line_.taken = false;
        freed_.notify();
    }
    line_hold(line_hold const&) = delete;
    line_hold& operator=(line_hold const&) = delete;

private:
    line& line_;
    base::signal& freed_;
};

bucket_asks::bucket_asks(
    boost::asio::any_io_executor executor, storage::batcher& quick, base::clock& clock
)
    : quick_(quick),
      clock_(clock),
      freed_(std::move(executor)) {}

base::awaitable<base::result<storage::rows>> bucket_asks::ask(
    std::string resource,
    storage::statement const& question,
    boost::json::object row,
    std::function<bool()> needless
) {
    auto& queue = lines_[resource];
    auto const failures = queue.failures;
    while (queue.taken) co_await freed_.wait();
    if (queue.failures != failures) co_return queue.failure;
    if (needless()) co_return storage::rows{};
    line_hold const held{queue, freed_};
    auto answer = co_await put(question, row);
    if (!answer) {
        ++queue.failures;
        queue.failure = answer.error();
    }
    co_return answer;
}

base::awaitable<base::result<storage::rows>> bucket_asks::put(
    storage::statement const& question, boost::json::object const& row
) {
    auto const until = clock_.steady() + longest_lock;
    while (true) {
        auto answer = co_await storage::query_apart(quick_, question, row, bucket_deadline);
        if (!answer) co_return answer.error();
        if (answer->empty()) co_return base::error(base::errc::unavailable, "no answer");
        if (answer->front().boolean(1)) co_return answer;
        if (clock_.steady() >= until) co_return base::error(base::errc::conflict, "locked");
        co_await base::sleep_for(between_tries);
    }
}

} // namespace postrider::queue
