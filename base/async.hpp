#pragma once
// Coroutine vocabulary: awaitable<T>, with_timeout, sleep_for, task_group.
//
// Rules (docs: CONTRIBUTING.md): spawned coroutines take every parameter by value and run in a
// task_group; a wait on the outside has a deadline; a cancelled wait throws operation_aborted, which
// is let pass and never logged as an error.
#include "base/clock.hpp"
#include "base/error.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <list>
#include <memory>
#include <string>
#include <variant>

namespace postrider::base {

namespace asio = boost::asio;

template<class T>
using awaitable = asio::awaitable<T>;

// Suspends for at least d. Throws operation_aborted when the coroutine is cancelled.
awaitable<void> sleep_for(duration d);

// A flag that coroutines of one executor wait for. Not for use between threads: post to the executor.
class signal {
public:
    explicit signal(asio::any_io_executor executor);

    // Wakes every waiter of now; a later waiter waits for the next notify.
    void notify();
    awaitable<void> wait();
    // False when the time passed first.
    awaitable<bool> wait_for(duration limit);

private:
    asio::steady_timer timer_;
};

// Runs work; when it takes longer than the limit, cancels it and returns errc::timeout.
// The work must honour cancellation, or the call returns only when it ends.
template<class T>
awaitable<result<T>> with_timeout(awaitable<result<T>> work, duration limit) {
    using namespace asio::experimental::awaitable_operators;
    auto outcome = co_await (std::move(work) || sleep_for(limit));
    if (outcome.index() == 1) co_return error(errc::timeout, "took longer than " + to_text(limit));
    co_return std::move(std::get<0>(outcome));
}

// Owns running coroutines: each has a name, a log line on failure, and is joined.
// Used on the thread of its executor only. Destroyed empty: await join() first.
class task_group {
public:
    explicit task_group(asio::any_io_executor executor);
    ~task_group();
    task_group(task_group const&) = delete;
    task_group& operator=(task_group const&) = delete;

    // Starts the task. An exception other than operation_aborted is logged under its name.
    void spawn(std::string name, awaitable<void> task);

    // Asks every running task to stop at its next suspension.
    void cancel();

    // Suspends until no task runs.
    awaitable<void> join();

    std::size_t size() const noexcept { return running_.size(); }

private:
    struct task;
    void finished(std::list<task>::iterator which, std::exception_ptr failure);

    asio::any_io_executor executor_;
    std::list<task> running_;
    signal idle_;
};

} // namespace postrider::base
