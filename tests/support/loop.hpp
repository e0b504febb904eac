#pragma once
// Runs coroutines on the calling thread, with a deadline, so that a test that hangs fails instead.
#include "base/async.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <stdexcept>
#include <type_traits>

namespace postrider::tests {

class loop {
public:
    boost::asio::io_context context;

    boost::asio::any_io_executor executor() { return context.get_executor(); }

    // Runs until the work has ended; gives back what it returned or throws what it threw. Whatever
    // else runs on the context is left where it stands.
    template<class T>
    T run(base::awaitable<T> work, base::duration limit = std::chrono::seconds{10}) {
        using kept = std::conditional_t<std::is_void_v<T>, bool, std::optional<T>>;
        kept value{};
        bool done = false;
        std::exception_ptr failure;
        auto finish = [&](std::exception_ptr e) {
            done = true;
            failure = e;
            context.stop();
        };
        if constexpr (std::is_void_v<T>)
            boost::asio::co_spawn(context, std::move(work), finish);
        else
            boost::asio::co_spawn(context, keep(std::move(work), value), finish);
        context.restart();
        context.run_for(limit);
        if (!done) throw std::runtime_error("the coroutine did not end within its deadline");
        if (failure) std::rethrow_exception(failure);
        if constexpr (!std::is_void_v<T>) return std::move(*value);
    }

private:
    template<class T>
    static base::awaitable<void> keep(base::awaitable<T> work, std::optional<T>& value) {
        value.emplace(co_await std::move(work));
    }
};

} // namespace postrider::tests
