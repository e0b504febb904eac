#pragma once
// Where a person types lines and reads what comes. On a terminal lines are edited, with a history,
// while text is shown above them; a pasted text is one line of input, whatever is in it. Elsewhere
// lines are read as they stand.
#include "base/async.hpp"
#include "server/terminal/line_queue.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

namespace postrider::terminal {

class line_terminal {
public:
    virtual ~line_terminal() = default;

    // The next line without its end; nothing once the input is over. One waiter at a time.
    virtual base::awaitable<std::optional<std::string>> next() = 0;
    // Where a person types: the first line that is there and is such a one, whatever stands before
    // it. It is not shown yet.
    virtual std::optional<typed_line> take_if(std::function<bool(std::string_view)> const& is_wanted
    ) = 0;
    virtual void print(std::string text) = 0;
};

struct terminal_options {
    std::string kind;                      // as TERM names it
    std::string prompt;                    // before what is typed
    std::filesystem::path history;         // the file of lines that were typed; empty: none is kept
    bool ends_on_signals = true;           // false: the process handles SIGINT and SIGTERM itself
    std::function<void()> on_line = [] {}; // on the executor's thread, where a line has come
};

// For a chat with an agent. All chats share the history, in the data folder where that exists.
terminal_options chat_terminal(std::string kind, std::filesystem::path const& data);

// Of the process' standard streams.
std::unique_ptr<line_terminal> make_line_terminal(
    boost::asio::any_io_executor executor, std::ostream& out, terminal_options options
);

} // namespace postrider::terminal
