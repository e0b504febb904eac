#include "tests/end_to_end/server/pseudo_terminal.hpp"

#include <array>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdexcept>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace postrider::tests {

namespace {

using namespace std::chrono_literals;

winsize size_of(int rows, int columns) {
    winsize size{};
    size.ws_row = static_cast<unsigned short>(rows);
    size.ws_col = static_cast<unsigned short>(columns);
    return size;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> list;
    for (auto& word : words) list.push_back(word.data());
    list.push_back(nullptr);
    return list;
}

} // namespace

pseudo_terminal::pseudo_terminal(
    std::vector<std::string> words, environment const& variables, int rows, int columns
)
    : screen_(rows, columns) {
    std::vector<std::string> all{"TERM=xterm"};
    for (auto const& [name, value] : variables) all.push_back(name + "=" + value);
    auto const argv = pointers(words);
    auto const envp = pointers(all);
    auto const size = size_of(rows, columns);
    pid_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ < 0) throw std::runtime_error("no pseudo terminal");
    if (pid_ == 0) {
        ::signal(SIGINT, SIG_DFL); // tests that a shell started in the background ignore it
        ::execve(argv[0], argv.data(), envp.data());
        ::_exit(127);
    }
    ::fcntl(terminal_, F_SETFL, O_NONBLOCK);
}

pseudo_terminal::~pseudo_terminal() {
    ::close(terminal_);
    if (pid_ == 0 || wait(5s)) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

void pseudo_terminal::look() {
    std::array<char, 4096> bytes{};
    for (;;) {
        auto const bytes_read = ::read(terminal_, bytes.data(), bytes.size());
        if (bytes_read <= 0) return;
        screen_.write({bytes.data(), static_cast<std::size_t>(bytes_read)});
    }
}

// More than the terminal's buffer holds waits for the program.
void pseudo_terminal::type(std::string_view keys) {
    auto const all_written = [&] {
        look();
        auto const written = ::write(terminal_, keys.data(), keys.size());
        if (written > 0) keys.remove_prefix(static_cast<std::size_t>(written));
        return keys.empty();
    };
    if (!eventually(all_written)) throw std::runtime_error("the program reads no keys");
}

void pseudo_terminal::paste(std::string_view text) {
    std::string keys(text);
    for (auto& key : keys)
        if (key == '\n') key = '\r';
    type("\x1b[200~" + keys + "\x1b[201~");
}

void pseudo_terminal::resize(int columns) {
    auto const size = size_of(24, columns);
    ::ioctl(terminal_, TIOCSWINSZ, &size);
}

void pseudo_terminal::signal(int number) {
    ::kill(pid_, number);
}

std::string pseudo_terminal::screen() {
    look();
    return screen_.text();
}

std::string pseudo_terminal::before_cursor() {
    look();
    return screen_.before_cursor();
}

bool pseudo_terminal::shows(std::string_view text, base::duration limit) {
    return eventually([&] { return screen().find(text) != std::string::npos; }, limit);
}

bool pseudo_terminal::is_raw() const {
    termios mode{};
    ::tcgetattr(terminal_, &mode);
    return (mode.c_lflag & (ICANON | ECHO)) == 0;
}

std::optional<int> pseudo_terminal::wait(base::duration limit) {
    int status = 0;
    auto const ended = [&] {
        look();
        return ::waitpid(pid_, &status, WNOHANG) == pid_;
    };
    if (!eventually(ended, limit)) return std::nullopt;
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace postrider::tests
