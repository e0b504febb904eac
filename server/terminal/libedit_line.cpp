#include "server/terminal/libedit_line.hpp"

#include "base/utf8.hpp"
#include "server/terminal/screen_position.hpp"

#include <boost/locale/encoding_utf.hpp>
#include <fmt/format.h>

#include <array>
#include <clocale>
#include <csignal>
#include <poll.h>
#include <stdexcept>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace postrider::terminal {

namespace {

constexpr std::string_view paste_begins = "\x1b[?2004h"; // pasted text is marked from here on
constexpr std::string_view end_of_paste = "\x1b[201~";
constexpr auto no_more = static_cast<wchar_t*>(nullptr);
constexpr int most_kept_lines = 1'000;
constexpr std::size_t longest_kept_line = 4'096; // bytes

std::wstring wide(std::string_view text) {
    return boost::locale::conv::utf_to_utf<wchar_t>(text.data(), text.data() + text.size());
}

std::string narrow(std::wstring_view text) {
    return boost::locale::conv::utf_to_utf<char>(text.data(), text.data() + text.size());
}

void write(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

int terminal_width() {
    winsize size{};
    bool const has_size = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return has_size ? size.ws_col : 80;
}

termios terminal_mode() {
    termios mode{};
    ::tcgetattr(STDIN_FILENO, &mode);
    return mode;
}

// libedit asks the thread's locale what a character is.
locale_t utf8() {
    static auto const locale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{});
    return locale;
}

// Bytes of the character that begins with this one.
std::size_t character_size(char first) {
    auto const bits = static_cast<unsigned char>(first);
    if (bits >= 0xf0) return 4;
    if (bits >= 0xe0) return 3;
    return bits >= 0xc0 ? 2 : 1;
}

EditLine* make_editor() {
    ::uselocale(utf8());
    auto* editor = ::el_init("postrider", stdin, stdout, stderr);
    if (!editor) throw std::runtime_error("libedit cannot use this terminal");
    return editor;
}

} // namespace

bool can_edit_lines(std::string_view terminal) {
    bool const moves_cursor = !terminal.empty() && terminal != "dumb";
    return moves_cursor && ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1 && utf8();
}

libedit_line::libedit_line(
    std::string_view prompt,
    std::filesystem::path history,
    int watched,
    std::function<bool()> attend
)
    : prompt_(wide(prompt)),
      history_file_(std::move(history)),
      watched_(watched),
      attend_(std::move(attend)),
      history_(::history_winit(), ::history_wend),
      mode_of_before_(terminal_mode()),
      editor_(make_editor(), ::el_end),
      width_(terminal_width()) {
    auto* editor = editor_.get();
    ::el_wset(editor, EL_CLIENTDATA, this);
    ::el_wset(editor, EL_PROMPT, prompt_of);
    ::el_wset(editor, EL_GETCFN, read_character);
    // Ctrl-C and Ctrl-Z are keys: a signal would leave the terminal as it is while lines are edited.
    ::el_wset(editor, EL_SETTY, L"-d", L"-isig", no_more);
    // libedit takes the terminal once it has shown the prompt, and hands it back between lines. What
    // is typed then would be echoed, and a long paste cut.
    ::el_wset(editor, EL_SETTY, L"-x", L"-icanon", L"-echo", L"-isig", no_more);
    bind_keys();
    load_history();
    write(paste_begins);
}

libedit_line::~libedit_line() {
    write(leave_input() + std::string(paste_ends));
}

void libedit_line::bind_keys() {
    auto* editor = editor_.get();
    ::el_wset(editor, EL_EDITOR, L"emacs");
    ::el_wset(editor, EL_ADDFN, L"take-paste", L"Takes what is pasted", take_paste);
    ::el_wset(editor, EL_ADDFN, L"interrupt", L"Clears the line, or ends", interrupt);
    ::el_wset(editor, EL_ADDFN, L"suspend", L"Stops the process", suspend);
    struct binding {
        wchar_t const* keys;
        wchar_t const* function;
    };
    constexpr std::array bindings{
        binding{L"\\e[200~", L"take-paste"},
        binding{L"^C", L"interrupt"},
        binding{L"^Z", L"suspend"},
        binding{L"^R", L"em-inc-search-prev"},
        binding{L"^W", L"ed-delete-prev-word"},
        binding{L"\\e[H", L"ed-move-to-beg"},
        binding{L"\\e[F", L"ed-move-to-end"},
        binding{L"\\e[3~", L"ed-delete-next-char"},
        binding{L"\\e[1;5D", L"ed-prev-word"},
        binding{L"\\e[1;5C", L"em-next-word"}};
    for (auto const& bound : bindings)
        ::el_wset(editor, EL_BIND, bound.keys, bound.function, no_more);
}

void libedit_line::load_history() {
    HistEventW event{};
    ::history_w(history_.get(), &event, H_SETSIZE, most_kept_lines);
    ::history_w(history_.get(), &event, H_SETUNIQUE, 1);
    if (!history_file_.empty()) ::history_w(history_.get(), &event, H_LOAD, history_file_.c_str());
    ::el_wset(editor_.get(), EL_HIST, ::history_w, history_.get());
}

libedit_line& libedit_line::self(EditLine* editor) {
    void* data = nullptr;
    ::el_wget(editor, EL_CLIENTDATA, &data);
    return *static_cast<libedit_line*>(data);
}

wchar_t* libedit_line::prompt_of(EditLine* editor) {
    return self(editor).prompt_.data();
}

std::optional<typed_line> libedit_line::read() {
    int count = 0;
    is_editing_ = true;
    auto const* const line = ::el_wgets(editor_.get(), &count);
    if (!line || count <= 0) {
        hand_back_terminal(); // a signal may end the process from here on
        return std::nullopt;
    }
    is_editing_ = false;
    std::wstring_view const characters(line, static_cast<std::size_t>(count) - 1);
    write(move_to_start(characters, 1));
    auto typed = narrow(characters);
    auto text = pasted_.expand(typed);
    pasted_.clear();
    remember(text);
    return typed_line{std::move(text), std::move(typed)};
}

void libedit_line::remember(std::string const& text) {
    if (text.size() > longest_kept_line || text.find_first_not_of(" \t") == text.npos) return;
    HistEventW event{};
    ::history_w(history_.get(), &event, H_ENTER, wide(text).c_str());
    if (!history_file_.empty()) ::history_w(history_.get(), &event, H_SAVE, history_file_.c_str());
}

void libedit_line::show(std::string const& text) {
    auto output = leave_input();
    if (column_ > 0) output += fmt::format("\x1b[A\x1b[{}C", column_);
    output += text;
    column_ = advance({0, column_}, wide(text), width_).column;
    if (column_ > 0) output += '\n';
    if (column_ >= width_) column_ = 0;
    write(output);
}

// Before what is typed; the cursor stands so many rows below its end.
std::string libedit_line::move_to_start(std::wstring_view before_cursor, int rows_below) const {
    auto const cursor = advance({}, prompt_ + std::wstring(before_cursor), width_);
    bool const is_full = cursor.column == width_; // libedit's cursor stands in the next row then
    auto const rows = cursor.row + (is_full ? 1 : 0) + rows_below;
    return rows > 0 ? fmt::format("\r\x1b[{}A\x1b[J", rows) : "\r\x1b[J";
}

std::string libedit_line::leave_input() {
    if (!std::exchange(is_editing_, false)) return {};
    auto const* const line = ::el_wline(editor_.get());
    return move_to_start({line->buffer, line->cursor}, 0);
}

void libedit_line::redraw() {
    is_editing_ = true;
    ::el_wset(editor_.get(), EL_REFRESH);
}

int libedit_line::read_character(EditLine* editor, wchar_t* character) {
    auto& line = self(editor);
    auto const first = line.next_byte();
    if (!first) return 0;
    std::string bytes(1, *first);
    for (auto missing = character_size(*first) - 1; missing > 0; --missing) {
        auto const byte = line.next_byte();
        if (!byte) return 0;
        bytes += *byte;
    }
    *character = wide(base::as_utf8(bytes)).front();
    return 1;
}

std::optional<char> libedit_line::next_byte() {
    if (unread_.empty() && !wait_for_bytes()) return std::nullopt;
    auto const byte = unread_.front();
    unread_.pop_front();
    return byte;
}

// False: the input is over.
bool libedit_line::wait_for_bytes() {
    std::array<char, 4096> buffer{};
    for (;;) {
        std::array<pollfd, 2> watched{{{STDIN_FILENO, POLLIN, 0}, {watched_, POLLIN, 0}}};
        if (::poll(watched.data(), watched.size(), -1) < 0) {
            if (errno != EINTR) return false;
            continue;
        }
        fit_to_width();
        if (watched[1].revents != 0) {
            if (!attend_()) return false;
            if (!is_editing_) redraw();
        }
        if (watched[0].revents == 0) continue;
        auto const bytes_read = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (bytes_read < 0 && errno == EINTR) continue;
        if (bytes_read <= 0) return false;
        unread_.insert(unread_.end(), buffer.begin(), buffer.begin() + bytes_read);
        return true;
    }
}

void libedit_line::fit_to_width() {
    auto const width = terminal_width();
    if (width == width_) return;
    width_ = width;
    column_ = 0;
    write(leave_input());
    ::el_resize(editor_.get());
    redraw();
}

unsigned char libedit_line::take_paste(EditLine* editor, wint_t) {
    auto& line = self(editor);
    std::string bytes;
    while (!bytes.ends_with(end_of_paste)) {
        auto const byte = line.next_byte();
        if (!byte) return CC_EOF;
        bytes += *byte;
    }
    bytes.resize(bytes.size() - end_of_paste.size());
    auto const text = wide(line.pasted_.add(bytes));
    if (!text.empty()) ::el_winsertstr(editor, text.c_str());
    return CC_REFRESH;
}

unsigned char libedit_line::interrupt(EditLine* editor, wint_t) {
    auto& line = self(editor);
    auto const* const contents = ::el_wline(editor);
    auto const size = static_cast<int>(contents->lastchar - contents->buffer);
    if (size > 0) {
        ::el_cursor(editor, size);
        ::el_deletestr(editor, size);
        line.pasted_.clear();
        return CC_REFRESH;
    }
    line.was_interrupted_ = true;
    line.hand_back_terminal();
    std::raise(SIGINT); // ends the process, where it does not handle that
    return CC_EOF;
}

unsigned char libedit_line::suspend(EditLine* editor, wint_t) {
    auto& line = self(editor);
    line.hand_back_terminal();
    std::raise(SIGTSTP);
    line.take_terminal();
    line.column_ = 0; // others have written meanwhile
    line.redraw();
    return CC_NORM;
}

void libedit_line::hand_back_terminal() {
    write(leave_input() + std::string(paste_ends));
    ::el_wset(editor_.get(), EL_PREP_TERM, 0);
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &mode_of_before_);
}

void libedit_line::take_terminal() {
    ::el_wset(editor_.get(), EL_PREP_TERM, 1);
    write(paste_begins);
}

} // namespace postrider::terminal
