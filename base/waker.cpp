#include "base/waker.hpp"

#include <boost/asio/redirect_error.hpp>

namespace postrider::base {

awaitable<void> waker::wait_for(duration limit) {
    if (!is_woken_ && limit > duration::zero()) {
        timer_.expires_after(limit);
        boost::system::error_code ec;
        co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ec));
        auto const state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none)
            throw boost::system::system_error(asio::error::operation_aborted);
    }
    is_woken_ = false;
}

} // namespace postrider::base
