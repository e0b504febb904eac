#pragma once
// Lines of a file descriptor, for coroutines. Reading blocks, so it happens on a thread of its own:
// asio would make the descriptor non-blocking, and a terminal's is shared with stdout and the
// shell.
#include "server/terminal/line_queue.hpp"

namespace postrider::terminal {

class line_reader {
public:
    // Does not own the descriptor.
    line_reader(
        boost::asio::any_io_executor executor, int descriptor, std::function<void()> on_line = [] {}
    );
    // Stops reading at once, even in the middle of a line.
    ~line_reader();
    line_reader(line_reader const&) = delete;
    line_reader& operator=(line_reader const&) = delete;

    // The next line without its end; nothing once the input is over. One waiter at a time.
    base::awaitable<std::optional<std::string>> next();
    std::optional<typed_line> take_if(std::function<bool(std::string_view)> const& is_wanted) {
        return lines_->take_if(is_wanted);
    }

private:
    std::shared_ptr<line_queue> lines_;
    class reading_thread;
    std::unique_ptr<reading_thread> thread_;
};

} // namespace postrider::terminal
