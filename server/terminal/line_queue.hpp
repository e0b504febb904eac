#pragma once
// Lines that a thread reads, for a coroutine that waits for them.
#include "base/async.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::terminal {

struct typed_line {
    std::string text;       // with all that was pasted
    std::string shown = {}; // what is shown of it once it is taken
};

class line_queue : public std::enable_shared_from_this<line_queue> {
public:
    // On the executor's thread on_line is called behind each line that has come.
    explicit line_queue(
        boost::asio::any_io_executor executor, std::function<void()> on_line = [] {}
    );

    // From any thread.
    void deliver(typed_line line);
    void end();

    // The next line; nothing once the input is over. On the executor's thread, one waiter at a
    // time; the thread that reads may go meanwhile.
    static base::awaitable<std::optional<typed_line>> next(std::shared_ptr<line_queue> lines);
    // The first of those that are there which is such a one; the others stay.
    std::optional<typed_line> take_if(std::function<bool(std::string_view)> const& is_wanted);

private:
    boost::asio::any_io_executor executor_;
    // Touched on the executor's thread only.
    std::function<void()> on_line_;
    std::deque<typed_line> lines_;
    bool is_over_ = false;
    base::signal arrived_;
};

} // namespace postrider::terminal
