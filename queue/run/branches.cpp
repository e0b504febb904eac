// Branches of a job that run side by side, and a job that begins anew.
#include "queue/run/job_run.hpp"

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
    group mine{.outermost = !branches_};
    auto executor = co_await asio::this_coro::executor;
    if (mine.outermost) branches_ = std::make_unique<side_by_side>(executor);
    std::vector<decltype(asio::co_spawn(executor, run_branch({}, mine), asio::deferred))> running;
    for (auto& work : branches)
        running.push_back(
            asio::co_spawn(executor, run_branch(std::move(work), mine), asio::deferred)
        );
    auto [order, thrown] = co_await asio::experimental::make_parallel_group(std::move(running))
                               .async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
    for (auto const& one : thrown)
        if (one && !mine.failure) mine.failure = one; // cancelled from outside
    std::unique_ptr<side_by_side> done;
    if (mine.outermost) done = std::move(branches_);
    // Before what is parked: whoever catches it goes on without those.
    if (mine.failure) std::rethrow_exception(mine.failure);
    if (!mine.parked) co_return;
    if (!done) throw suspended{};
    auto how = *done->first;
    how.delay = std::max(duration_cast<milliseconds>(done->due - services_.clock.steady()), 0ms);
    how.for_events = done->for_events;
    co_await leave(std::move(how));
}

// A branch that would be parked is done with for this run. What an outermost one throws ends them
// all; within another branch somebody may catch it.
base::awaitable<void> job_run::run_branch(branch work, group& of) {
    try {
        co_await work();
    } catch (suspended const&) {
        of.parked = true;
    } catch (...) {
        if (!of.failure) of.failure = std::current_exception();
        if (of.outermost) branches_->failure = of.failure;
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
    order_check_ = queue::order_check(std::move(recorded));
}

} // namespace postrider::queue
