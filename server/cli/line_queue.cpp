#include "server/cli/line_queue.hpp"

#include <boost/asio/post.hpp>

#include <utility>

namespace postrider::cli {

namespace asio = boost::asio;

line_queue::line_queue(asio::any_io_executor executor)
    : executor_(executor),
      arrived_(std::move(executor)) {}

void line_queue::deliver(std::string line) {
    asio::post(executor_, [to = shared_from_this(), line = std::move(line)]() mutable {
        to->lines_.push_back(std::move(line));
        to->arrived_.notify();
    });
}

void line_queue::end() {
    asio::post(executor_, [to = shared_from_this()] {
        to->is_over_ = true;
        to->arrived_.notify();
    });
}

base::awaitable<std::optional<std::string>> line_queue::next(std::shared_ptr<line_queue> from) {
    while (from->lines_.empty() && !from->is_over_) co_await from->arrived_.wait();
    if (from->lines_.empty()) co_return std::nullopt;
    auto line = std::move(from->lines_.front());
    from->lines_.pop_front();
    co_return line;
}

} // namespace postrider::cli
