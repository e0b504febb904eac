#include "base/on_thread.hpp"

#include <boost/asio/post.hpp>

#include <thread>

namespace postrider::base {

namespace {

struct thread_ending {
    explicit thread_ending(asio::any_io_executor executor) : changed(std::move(executor)) {}

    signal changed;
    bool has_come = false;      // on the executor's thread
    std::exception_ptr failure; // written before the ending is posted
};

} // namespace

awaitable<void> run_on_thread(std::function<void(std::stop_token)> work) {
    auto const executor = co_await asio::this_coro::executor;
    auto const ending = std::make_shared<thread_ending>(executor);
    // The ending belongs to the executor's thread: its timer must not outlive the executor.
    std::weak_ptr<thread_ending> const posted = ending;
    auto const run = [&work, executor, posted, &failure = ending->failure](std::stop_token stop) {
        try {
            work(stop);
        } catch (...) {
            failure = std::current_exception();
        }
        if (stop.stop_requested()) return; // nothing waits
        asio::post(executor, [posted] {
            auto const waiting = posted.lock();
            if (!waiting) return;
            waiting->has_come = true;
            waiting->changed.notify();
        });
    };
    std::jthread const thread(run); // joined before all that it refers to is gone
    while (!ending->has_come) co_await ending->changed.wait();
    if (ending->failure) std::rethrow_exception(ending->failure);
}

} // namespace postrider::base
