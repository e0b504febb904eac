#include "server/terminal/line_queue.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace postrider::terminal {

namespace asio = boost::asio;

line_queue::line_queue(asio::any_io_executor executor, std::function<void()> on_line)
    : executor_(executor),
      on_line_(std::move(on_line)),
      arrived_(std::move(executor)) {}

void line_queue::deliver(typed_line line) {
    asio::post(executor_, [to = shared_from_this(), line = std::move(line)]() mutable {
        to->lines_.push_back(std::move(line));
        to->arrived_.notify();
        to->on_line_();
    });
}

void line_queue::end() {
    asio::post(executor_, [to = shared_from_this()] {
        to->is_over_ = true;
        to->arrived_.notify();
    });
}

base::awaitable<std::optional<typed_line>> line_queue::next(std::shared_ptr<line_queue> lines) {
    while (lines->lines_.empty() && !lines->is_over_) co_await lines->arrived_.wait();
    if (lines->lines_.empty()) co_return std::nullopt;
    auto line = std::move(lines->lines_.front());
    lines->lines_.pop_front();
    co_return line;
}

std::optional<typed_line> line_queue::take_if(std::function<bool(std::string_view)> const& is_wanted
) {
    auto const at = std::ranges::find_if(lines_, is_wanted, &typed_line::text);
    if (at == lines_.end()) return std::nullopt;
    auto line = std::move(*at);
    lines_.erase(at);
    return line;
}

} // namespace postrider::terminal
