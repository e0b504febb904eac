#include "storage/pg/waiter.hpp"

#include <boost/asio/redirect_error.hpp>

namespace postrider::storage::pg {

base::awaitable<bool> waiter::wait(base::duration deadline) {
    if (woken_) co_return true;
    boost::system::error_code ec;
    timer_.expires_after(deadline);
    co_await timer_.async_wait(base::asio::redirect_error(base::asio::use_awaitable, ec));
    if (woken_) co_return true; // even if cancelled meanwhile: the answer is here
    auto state = co_await base::asio::this_coro::cancellation_state;
    if (state.cancelled() != base::asio::cancellation_type::none)
        throw boost::system::system_error(base::asio::error::operation_aborted);
    co_return false;
}

} // namespace postrider::storage::pg
