#pragma once
// Coroutine vocabulary: awaitable<T>, with_timeout, sleep_for, task_group, run_together, run_while_well.
//
// Rules (docs: CONTRIBUTING.md): spawned coroutines take every parameter by value and run in a
// task_group; a wait on the outside has a deadline; a cancelled wait throws operation_aborted,
// which is let pass and never logged as an error.
#include "base/clock.hpp"
#include "base/error.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace postrider::base {

namespace asio = boost::asio;

template<class T>
using awaitable = asio::awaitable<T>;

// Suspends for at least d. Throws operation_aborted when the coroutine is cancelled.
awaitable<void> sleep_for(duration d);

// A flag that coroutines of one executor wait for. Not for use between threads: post to the
// executor.
class signal {
public:
    explicit signal(asio::any_io_executor executor);

    // Wakes every waiter of now; a later waiter waits for the next notify.
    void notify();
    awaitable<void> wait();
    // False when the time passed first.
    awaitable<bool> wait_for(duration limit);
    // Runs the work until it ends, or until the next notify, which cancels it and waits for its end. True when the
    // work ended by itself. What it throws is thrown, except operation_aborted after the notify.
    awaitable<bool> ends_before_notify(awaitable<void> work);

private:
    asio::steady_timer timer_;
};

namespace detail {

// Waits for the work, at most for the limit; then cancels it and waits for its end. True when the
// work ended by itself. What it throws is thrown, except operation_aborted after the limit.
awaitable<bool> ends_within(awaitable<void> work, duration limit);

template<class T>
awaitable<void> keep(awaitable<result<T>> work, std::optional<result<T>>& outcome) {
    outcome.emplace(co_await std::move(work));
}

} // namespace detail

// Runs work; when it takes longer than the limit, cancels it and returns errc::timeout, unless it
// still ends with a value. The work must honour cancellation, or the call returns only when it
// ends. An exception of the work passes; so does operation_aborted when the caller itself is
// cancelled.
template<class T>
awaitable<result<T>> with_timeout(awaitable<result<T>> work, duration limit) {
    std::optional<result<T>> outcome;
    bool const in_time =
        co_await detail::ends_within(detail::keep(std::move(work), outcome), limit);
    if (!in_time && !(outcome && outcome->has_value()))
        co_return error(errc::timeout, "took longer than " + to_text(limit), cut_off);
    co_return std::move(*outcome);
}

// Owns running coroutines: each has a name, a log line on failure, and is joined.
// Used on the thread of its executor only. Destroyed empty: await join() first.
class task_group {
public:
    explicit task_group(asio::any_io_executor executor);
    ~task_group();
    task_group(task_group const&) = delete;
    task_group& operator=(task_group const&) = delete;

    enum class task_id : std::uint64_t {};

    // Starts the task. An exception other than operation_aborted is logged under its name.
    task_id spawn(std::string name, awaitable<void> task);

    // Asks every running task, or one, to stop at its next suspension.
    void cancel();
    void cancel(task_id id);

    // Suspends until no task runs.
    awaitable<void> join();

    std::size_t size() const noexcept { return running_.size(); }

private:
    struct task;
    void finished(std::list<task>::iterator ended, std::exception_ptr const& failure);

    asio::any_io_executor executor_;
    std::list<task> running_;
    std::uint64_t last_id_ = 0;
    signal idle_;
};

// Runs all of them at the same time, and returns when the last one has ended; they may refer to what the
// caller holds. Where the caller is cancelled meanwhile, they are, too, and operation_aborted passes
// after that. An exception of one is logged under the name.
awaitable<void> run_together(std::string name, std::vector<awaitable<void>> tasks);
// The same as long as each of them goes well: when one returns false or throws, the others are cancelled, or
// do not begin. False then.
awaitable<bool> run_while_well(std::string name, std::vector<awaitable<bool>> tasks);

} // namespace postrider::base
