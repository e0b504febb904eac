#pragma once
// The line_terminal of a real terminal: libedit edits on a thread of its own, which alone writes to
// stdout until the editor goes. A line that was typed leaves the screen, and is shown above the
// prompt when it is taken by next(): what is typed ahead of an answer stands behind it.
//
// Ctrl-C clears the line, and ends the process where there is nothing to clear; Ctrl-D ends the
// input there. SIGTERM ends the process; the terminal is given back as it was.
#include "server/cli/line_terminal.hpp"

namespace postrider::cli {

// Where can_edit_lines().
std::unique_ptr<line_terminal> make_line_editor(
    boost::asio::any_io_executor executor, std::string prompt, std::filesystem::path history
);

} // namespace postrider::cli
