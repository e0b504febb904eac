#include "base/time_slice.hpp"

#include <boost/asio/post.hpp>

namespace postrider::base {

awaitable<void> time_slice::yield() {
    co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
    since_ = clock_.steady();
}

} // namespace postrider::base
