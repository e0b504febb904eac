#include "agent/speech/typing.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/redirect_error.hpp>

namespace postrider::agent {

namespace {

namespace asio = boost::asio;

base::awaitable<void> keep(
    base::awaitable<queue::step_value> work, std::optional<queue::step_value>& value
) {
    value.emplace(co_await std::move(work));
}

// True when it was cancelled: everything else that it throws is of no interest.
base::awaitable<bool> type_once(messenger& out, address chat) {
    try {
        co_await out.typing(chat);
    } catch (boost::system::system_error const& e) {
        co_return e.code() == asio::error::operation_aborted;
    } catch (std::exception const&) {
    }
    co_return false;
}

// False when it was cancelled. That is how nearly every turn ends it, so it throws nothing.
base::awaitable<bool> sleeps_through(base::duration pause) {
    asio::steady_timer timer{co_await asio::this_coro::executor};
    timer.expires_after(pause);
    boost::system::error_code ec;
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ec));
    co_return !ec;
}

// Ends only by being cancelled.
base::awaitable<void> type_on(messenger& out, address chat, typing_times times) {
    bool going_on = co_await sleeps_through(times.before_first);
    while (going_on) {
        bool const cancelled = co_await type_once(out, chat);
        going_on = !cancelled && co_await sleeps_through(times.between);
    }
}

} // namespace

base::awaitable<queue::step_value> while_typing(
    messenger& out, address chat, base::awaitable<queue::step_value> work, typing_times times
) {
    std::optional<queue::step_value> value;
    auto executor = co_await asio::this_coro::executor;
    auto ended = co_await asio::experimental::make_parallel_group(
                     asio::co_spawn(executor, keep(std::move(work), value), asio::deferred),
                     asio::co_spawn(executor, type_on(out, chat, times), asio::deferred)
    )
                     .async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    if (auto failure = std::get<1>(ended)) std::rethrow_exception(failure);
    co_return std::move(*value);
}

} // namespace postrider::agent
