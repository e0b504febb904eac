#pragma once
// One line at a time from the terminal of stdin and stdout, edited by libedit; text is shown above
// it meanwhile. Used by one thread, which alone writes to stdout while it exists: its locale for
// characters is UTF-8 from the first call on. The terminal is given back as it was. The newest 1,000 lines are
// kept in a file of libedit's own form, which only its user can read. One that cannot be read or written is none:
// typing goes on without it. Of processes that share it the last one's lines stay.
#include "server/terminal/line_queue.hpp"
#include "server/terminal/pasted_texts.hpp"

#include <deque>
#include <filesystem>
#include <functional>
#include <histedit.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <termios.h>

namespace postrider::terminal {

// What a terminal is told that no longer has to mark pasted text.
inline constexpr std::string_view paste_ends = "\x1b[?2004l";

// stdin and stdout are a terminal; `terminal`, its kind as TERM names it, can move its cursor.
bool can_edit_lines(std::string_view terminal);

class libedit_line {
public:
    // `prompt` stands before what is typed. `watched` is a descriptor: where it becomes readable
    // while a line is typed `attend` is called, which may show(); it ends the input by false.
    libedit_line(
        std::string_view prompt,
        std::filesystem::path history,
        int watched,
        std::function<bool()> attend
    );
    ~libedit_line();
    libedit_line(libedit_line const&) = delete;
    libedit_line& operator=(libedit_line const&) = delete;

    // The next line, which is no longer on the screen, and how it stood there; nothing once the
    // input is over.
    std::optional<typed_line> read();
    // Ctrl-C ended the input: SIGINT was sent.
    bool was_interrupted() const noexcept { return was_interrupted_; }
    // Above the line that is being typed, behind what was shown before; its last line may go on.
    void show(std::string const& text);

private:
    static libedit_line& self(EditLine* editor);
    static wchar_t* prompt_of(EditLine* editor);
    static int read_character(EditLine* editor, wchar_t* character);
    static unsigned char take_paste(EditLine* editor, wint_t);
    static unsigned char interrupt(EditLine* editor, wint_t);
    static unsigned char suspend(EditLine* editor, wint_t);

    void bind_keys();
    void load_history();
    std::optional<char> next_byte();
    bool wait_for_bytes();
    void fit_to_width();
    void remember(std::string const& text);
    std::string move_to_start(std::wstring_view before_cursor, int rows_below) const;
    std::string leave_input();
    void redraw();
    void hand_back_terminal();
    void take_terminal();

    std::wstring prompt_;
    std::filesystem::path history_file_; // empty: none
    int watched_;
    std::function<bool()> attend_;
    std::unique_ptr<HistoryW, void (*)(HistoryW*)> history_;
    termios mode_of_before_;
    std::unique_ptr<EditLine, void (*)(EditLine*)> editor_;
    std::deque<char> unread_;
    pasted_texts pasted_;
    int width_ = 0;
    int column_ = 0; // where the shown text goes on, in the row above the prompt; 0: below
    bool was_interrupted_ = false;
    bool is_editing_ = false; // the prompt is on the screen
};

} // namespace postrider::terminal
