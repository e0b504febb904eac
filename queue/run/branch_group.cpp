#include "queue/run/branch_group.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>

#include <algorithm>

namespace postrider::queue {

namespace {

namespace asio = boost::asio;
using std::chrono::duration_cast;
using std::chrono::milliseconds;

// What the branches of one parallel() came to.
struct branch_group {
    run_state& run;
    bool outermost = false;
    std::size_t running = 0;
    std::exception_ptr failure = {};
    bool parked = false;
};

// A branch that would be parked is done with for this run. An exception of an outermost one ends
// them all; within another branch somebody may catch it.
base::awaitable<void> note_end_of(branch work, branch_group& group) {
    try {
        co_await work();
    } catch (suspended const&) {
        group.parked = true;
    } catch (...) {
        if (!group.failure) group.failure = std::current_exception();
        if (group.outermost) group.run.branches->failure = group.failure;
    }
}

// The record of work that the branch did outside does not wait for the others to end.
base::awaitable<void> run_branch(branch work, branch_group& group) {
    co_await note_end_of(std::move(work), group);
    if (--group.running == 0) co_return;
    branch const record = [&group] { return group.run.journal.record_work(); };
    co_await note_end_of(record, group);
}

base::awaitable<void> run_all(std::vector<branch> branches, branch_group& group) {
    auto executor = co_await asio::this_coro::executor;
    group.running = branches.size();
    std::vector<decltype(asio::co_spawn(executor, run_branch({}, group), asio::deferred))> running;
    running.reserve(branches.size());
    for (auto& work : branches)
        running.push_back(
            asio::co_spawn(executor, run_branch(std::move(work), group), asio::deferred)
        );
    auto [order, thrown] = co_await asio::experimental::make_parallel_group(std::move(running))
                               .async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
    for (auto const& failure : thrown)
        if (failure && !group.failure) group.failure = failure; // cancelled from outside
}

} // namespace

base::awaitable<void> run_side_by_side(run_state& run, std::vector<branch> branches) {
    branch_group group{.run = run, .outermost = !run.branches};
    if (group.outermost) {
        run.branches = std::make_unique<run_state::side_by_side>();
        run.journal.begin_branches(co_await asio::this_coro::executor);
    }
    co_await run_all(std::move(branches), group);
    std::unique_ptr<run_state::side_by_side> finished_group;
    if (group.outermost) {
        finished_group = std::move(run.branches);
        run.journal.end_branches();
    }
    // Before what is parked: a function that catches it goes on without those.
    if (group.failure) std::rethrow_exception(group.failure);
    if (!group.parked) co_return;
    // Branches that are only read leave nothing to wait for.
    if (!finished_group || !finished_group->earliest) throw suspended{};
    auto parked = *finished_group->earliest;
    auto const left =
        duration_cast<milliseconds>(finished_group->due - run.services.clock.steady());
    parked.delay = std::max(left, milliseconds{0});
    parked.for_events = finished_group->for_events;
    co_await run.leave(std::move(parked));
}

} // namespace postrider::queue
