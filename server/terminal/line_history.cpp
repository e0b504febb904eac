#include "server/terminal/line_history.hpp"

#include "base/utf8.hpp"

#include <fcntl.h>
#include <fstream>
#include <unistd.h>

namespace postrider::terminal {

namespace fs = std::filesystem;

namespace {

std::string escaped(std::string_view line) {
    std::string text;
    for (char c : line)
        if (c == '\n')
            text += "\\n";
        else if (c == '\\')
            text += "\\\\";
        else
            text += c;
    return text + '\n';
}

std::string unescaped(std::string_view text) {
    std::string line;
    for (std::size_t i = 0; i < text.size(); ++i) {
        bool const is_escape = text[i] == '\\' && i + 1 < text.size();
        if (is_escape) ++i;
        line += is_escape && text[i] == 'n' ? '\n' : text[i];
    }
    return line;
}

std::vector<std::string> read_lines(fs::path const& path) {
    std::vector<std::string> lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        lines.push_back(unescaped(base::as_utf8(line)));
    return lines;
}

std::vector<std::string> newest(std::vector<std::string> lines) {
    if (lines.size() > most_kept_lines)
        lines.erase(lines.begin(), lines.end() - std::ptrdiff_t{most_kept_lines});
    return lines;
}

// In one write, so that lines of two processes do not mix. False: not all of it is there.
bool write_lines(fs::path const& file, std::string const& lines, int mode) {
    auto const descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | mode, 0600);
    if (descriptor < 0) return false;
    auto const written = ::write(descriptor, lines.data(), lines.size());
    ::close(descriptor);
    return written == static_cast<ssize_t>(lines.size());
}

} // namespace

std::vector<std::string> line_history::load() const {
    return newest(read_lines(file_));
}

void line_history::add(std::string_view line) {
    if (file_.empty() || line.empty() || line.size() > longest_kept_line) return;
    if (added_++ % most_kept_lines == 0) shorten();
    write_lines(file_, escaped(line), O_APPEND);
}

// The file is replaced whole: a crash leaves the old one or the new one.
void line_history::shorten() const {
    auto lines = read_lines(file_);
    if (lines.size() <= most_kept_lines) return;
    std::string kept_lines;
    for (auto const& line : newest(std::move(lines))) kept_lines += escaped(line);
    auto const fresh = fs::path(file_).concat("." + std::to_string(::getpid()));
    std::error_code ignored;
    if (write_lines(fresh, kept_lines, O_TRUNC))
        fs::rename(fresh, file_, ignored);
    else
        fs::remove(fresh, ignored);
}

} // namespace postrider::terminal
