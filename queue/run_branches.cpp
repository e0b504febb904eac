// Branches of a job that run side by side, and a job that begins anew.
#include "queue/run.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>

#include <algorithm>

namespace postrider::queue {

namespace asio = boost::asio;

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using namespace std::chrono_literals;

base::awaitable<void> job_run::parallel(std::vector<branch> branches) {
    bool const outermost = !branches_;
    if (outermost) {
        auto executor = co_await asio::this_coro::executor;
        branches_ = std::make_unique<side_by_side>(executor);
    }
    auto& with = *branches_;
    auto executor = co_await asio::this_coro::executor;
    std::size_t const parked_before = with.parked;
    std::vector<decltype(asio::co_spawn(executor, run_branch({}), asio::deferred))> running;
    for (auto& work : branches)
        running.push_back(asio::co_spawn(executor, run_branch(std::move(work)), asio::deferred));
    auto [order, thrown] = co_await asio::experimental::make_parallel_group(std::move(running))
                               .async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
    for (auto const& one : thrown)
        if (one && !with.failure) with.failure = one; // cancelled from outside
    bool const parked = with.parked > parked_before;
    if (!outermost) {
        if (with.failure || parked) throw suspended{};
        co_return;
    }
    auto const done = std::exchange(branches_, nullptr);
    if (done->failure) std::rethrow_exception(done->failure);
    if (!parked) co_return;
    auto how = *done->first;
    how.delay = std::max(duration_cast<milliseconds>(done->due - services_.clock.steady()), 0ms);
    how.for_events = done->for_events;
    co_await leave(std::move(how));
}

// A branch that would be parked is done with for this run. The first failure ends them all.
base::awaitable<void> job_run::run_branch(branch work) {
    auto& with = *branches_;
    try {
        co_await work();
    } catch (suspended const&) {
        ++with.parked;
    } catch (...) {
        if (!with.failure) with.failure = std::current_exception();
    }
}

void job_run::suspend_branch(park how) {
    auto& with = *branches_;
    auto const due = services_.clock.steady() + how.delay;
    with.for_events = with.for_events || how.for_events;
    if (!with.first || due < with.due) {
        with.due = due;
        with.first = std::move(how);
    }
    throw suspended{};
}

void job_run::start_over() {
    lease_.edits = seen_edits_;
    occurrences_.clear();
    undo_.clear();
    std::vector<std::pair<int, std::string>> order;
    for (auto const& [key, step] : record_.steps)
        if (!step.tries.empty()) order.emplace_back(step.tries.front().seq, key);
    std::ranges::sort(order);
    std::vector<std::string> recorded;
    for (auto& [seq, key] : order) recorded.push_back(std::move(key));
    replay_ = queue::replay(std::move(recorded));
}

} // namespace postrider::queue
