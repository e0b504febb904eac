#include "base/async.hpp"

#include "base/exceptions.hpp"
#include "base/log.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/multiple_exceptions.hpp>
#include <boost/asio/redirect_error.hpp>

namespace postrider::base {

namespace {

bool is_abort(std::exception_ptr const& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (boost::system::system_error const& e) {
        return e.code() == asio::error::operation_aborted;
    } catch (asio::multiple_exceptions const& e) { // of awaitable_operators
        return is_abort(e.first_exception());
    } catch (...) {
        return false;
    }
}

} // namespace

awaitable<void> sleep_for(duration d) {
    asio::steady_timer timer{co_await asio::this_coro::executor};
    timer.expires_after(d);
    co_await timer.async_wait(asio::use_awaitable);
}

// By value, as executors are passed on everywhere; it is Asio's timer that copies.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
signal::signal(asio::any_io_executor executor)
    : timer_(executor, asio::steady_timer::time_point::max()) {}

void signal::notify() {
    timer_.cancel();
}

awaitable<void> signal::wait() {
    boost::system::error_code ec;
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ec));
    // Woken by notify() or cancelled: the coroutine's own state tells which.
    auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
        throw boost::system::system_error(asio::error::operation_aborted);
}

awaitable<bool> signal::wait_for(duration limit) {
    co_return co_await detail::ends_within(wait(), limit);
}

// The bare timer beside the work: a coroutine that waits would end each time by an exception.
awaitable<bool> signal::ends_before_notify(awaitable<void> work) {
    auto executor = co_await asio::this_coro::executor;
    auto [order, ec, failure] =
        co_await asio::experimental::make_parallel_group(
            timer_.async_wait(asio::deferred),
            asio::co_spawn(executor, std::move(work), asio::deferred)
        )
            .async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    auto state = co_await asio::this_coro::cancellation_state;
    bool const notified = order[0] == 0 && state.cancelled() == asio::cancellation_type::none;
    if (failure && !(notified && is_abort(failure))) std::rethrow_exception(failure);
    co_return !notified;
}

// Not awaitable_operators' ||: that one takes an exception of the work for a reason to wait on for
// the timer, and reports a cancelled caller as multiple_exceptions.
awaitable<bool> detail::ends_within(awaitable<void> work, duration limit) {
    auto executor = co_await asio::this_coro::executor;
    asio::steady_timer timer{executor};
    timer.expires_after(limit);
    auto [order, failure, ec] =
        co_await asio::experimental::make_parallel_group(
            asio::co_spawn(executor, std::move(work), asio::deferred),
            timer.async_wait(asio::deferred)
        )
            .async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    bool const timed_out = order[0] == 1 && !ec;
    if (failure && !(timed_out && is_abort(failure))) std::rethrow_exception(failure);
    co_return !timed_out;
}

struct task_group::task {
    task_id id;
    std::string name;
    asio::cancellation_signal stop;
};

task_group::task_group(asio::any_io_executor executor)
    : executor_(std::move(executor)),
      idle_(executor_) {}

task_group::~task_group() = default;

namespace {

// Where a task never waited, Asio makes it wait once more behind its end, which would throw past the
// group for one that was cancelled.
awaitable<void> run_past_cancellation(awaitable<void> work) {
    std::exception_ptr failure;
    try {
        co_await std::move(work);
    } catch (...) { // goes on to the group
        failure = std::current_exception();
    }
    co_await asio::this_coro::throw_if_cancelled(false);
    if (failure) std::rethrow_exception(failure);
}

} // namespace

task_group::task_id task_group::spawn(std::string name, awaitable<void> work) {
    auto added = running_.emplace(running_.end());
    auto const id = added->id = task_id{++last_id_};
    added->name = std::move(name);
    asio::co_spawn(
        executor_,
        run_past_cancellation(std::move(work)),
        asio::bind_cancellation_slot(
            added->stop.slot(),
            [this, added](std::exception_ptr const& failure) { finished(added, failure); }
        )
    );
    return id;
}

void task_group::cancel() {
    // A task may end, and leave the list, while it is being told.
    for (auto next = running_.begin(); next != running_.end();) {
        auto current = next++;
        current->stop.emit(asio::cancellation_type::terminal);
    }
}

void task_group::cancel(task_id id) {
    for (auto& running : running_)
        if (running.id == id) return running.stop.emit(asio::cancellation_type::terminal);
}

awaitable<void> task_group::join() {
    while (!running_.empty()) co_await idle_.wait();
}

void task_group::finished(std::list<task>::iterator ended, std::exception_ptr const& failure) {
    if (failure && !is_abort(failure))
        log::error("task.failed", {{"task", ended->name}, {"error", reason_of(failure)}});
    running_.erase(ended);
    if (running_.empty()) idle_.notify();
}

namespace {

// A task may have cancelled the caller as it began: spawn with throw_if_cancelled(false).
awaitable<void> join_or_cancel(task_group& group) {
    std::exception_ptr aborted;
    try {
        co_await asio::this_coro::throw_if_cancelled(true);
        co_await group.join();
    } catch (boost::system::system_error const&) { // of the wait: tasks' exceptions are logged
        aborted = std::current_exception();
    }
    if (!aborted) co_return;
    group.cancel();
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await group.join();
    std::rethrow_exception(aborted);
}

awaitable<void> join_all(std::string name, std::vector<awaitable<void>> tasks) {
    task_group group(co_await asio::this_coro::executor);
    co_await asio::this_coro::throw_if_cancelled(false);
    for (auto& task : tasks) group.spawn(name, std::move(task));
    co_await join_or_cancel(group);
}

awaitable<void> cancel_others_unless_well(awaitable<bool> task, task_group& group, bool& is_well) {
    bool went_well = false;
    std::exception_ptr failure;
    try {
        went_well = co_await std::move(task);
    } catch (...) { // goes on to the group; no other task runs inside this handler
        failure = std::current_exception();
    }
    if (went_well) co_return;
    is_well = false;
    group.cancel();
    if (failure) std::rethrow_exception(failure);
}

awaitable<bool> join_while_well(std::string name, std::vector<awaitable<bool>> tasks) {
    task_group group(co_await asio::this_coro::executor);
    bool is_well = true;
    co_await asio::this_coro::throw_if_cancelled(false);
    for (auto& task : tasks) {
        if (!is_well) break; // those behind it do not begin
        group.spawn(name, cancel_others_unless_well(std::move(task), group, is_well));
    }
    co_await join_or_cancel(group);
    co_return is_well;
}

} // namespace

// In a coroutine of its own: the caller is told of its own state that it was cancelled.
awaitable<void> run_together(std::string name, std::vector<awaitable<void>> tasks) {
    auto executor = co_await asio::this_coro::executor;
    co_await asio::co_spawn(
        executor, join_all(std::move(name), std::move(tasks)), asio::use_awaitable
    );
}

awaitable<bool> run_while_well(std::string name, std::vector<awaitable<bool>> tasks) {
    auto executor = co_await asio::this_coro::executor;
    co_return co_await asio::co_spawn(
        executor, join_while_well(std::move(name), std::move(tasks)), asio::use_awaitable
    );
}

} // namespace postrider::base
