#pragma once
// The lines that were typed, for the next time: the newest 1,000 in a file that only its user can
// read, one a line. Processes may share it. A file that cannot be read or written is none: typing
// goes on without it.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::terminal {

inline constexpr std::size_t most_kept_lines = 1'000;
inline constexpr std::size_t longest_kept_line = 4'096; // bytes; a longer one is not kept

class line_history {
public:
    // An empty path keeps nothing.
    explicit line_history(std::filesystem::path file) : file_(std::move(file)) {}

    // The oldest first.
    std::vector<std::string> load() const;
    void add(std::string_view line);

private:
    void shorten() const;

    std::filesystem::path file_;
    std::size_t added_ = 0; // since the file was shortened
};

} // namespace postrider::terminal
