#pragma once
// Lines that a thread reads, for a coroutine that waits for them.
#include "base/async.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace postrider::cli {

class line_queue : public std::enable_shared_from_this<line_queue> {
public:
    explicit line_queue(boost::asio::any_io_executor executor);

    // From any thread.
    void deliver(std::string line);
    void end();

    // The next line; nothing once the input is over. On the executor's thread, one waiter at a
    // time; the thread that reads may go meanwhile.
    static base::awaitable<std::optional<std::string>> next(std::shared_ptr<line_queue> from);

private:
    boost::asio::any_io_executor executor_;
    // Touched on the executor's thread only.
    std::deque<std::string> lines_;
    bool is_over_ = false;
    base::signal arrived_;
};

} // namespace postrider::cli
