#pragma once
// The line_terminal of a real terminal: libedit edits on a thread of its own, which alone writes to
// stdout until the editor goes. A line that was typed leaves the screen, and is shown above the
// prompt when it is taken: what is typed ahead of an answer stands behind it.
//
// Ctrl-C clears the line. Where there is nothing to clear it gives the terminal back and sends
// SIGINT; a process that handles that gets no more lines, and for one that ignores it the input ends.
// Ctrl-D ends the input there. SIGTERM ends the process, unless it handles that itself; the terminal is
// given back as it was.
#include "server/terminal/line_terminal.hpp"

namespace postrider::terminal {

// Where can_edit_lines().
std::unique_ptr<line_terminal> make_line_editor(
    boost::asio::any_io_executor executor, terminal_options options
);

} // namespace postrider::terminal
