#pragma once
// What a command does on the network: a coroutine on a loop of its own, run to its end. Blocking.
#include "base/async.hpp"
#include "net/http_client.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <optional>

namespace postrider::cli {

namespace detail {

template<class T>
base::awaitable<void> keep(base::awaitable<T> work, std::optional<T>& result) {
    result.emplace(co_await std::move(work));
}

} // namespace detail

// `work` gets the HTTP client and returns an awaitable<T>; what the coroutine throws is thrown.
template<class Work>
auto run_online(Work work) {
    using result_type = typename std::invoke_result_t<Work, net::http_client&>::value_type;
    boost::asio::io_context loop(1);
    auto http = net::make_http_client(loop.get_executor());
    std::optional<result_type> result;
    std::exception_ptr failure;
    boost::asio::co_spawn(loop, detail::keep(work(*http), result), [&](std::exception_ptr e) {
        failure = std::move(e);
        http->close();
    });
    loop.run();
    if (failure) std::rethrow_exception(failure);
    return std::move(*result);
}

} // namespace postrider::cli
