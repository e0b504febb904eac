#include "agent/spam/sample.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace postrider::agent::spam {

// Generated from the files of data/.
std::string_view public_spam_file();
std::string_view public_ham_file();
std::string_view everyday_ham_file();
std::string_view stop_words_file();

std::string_view name_of(kind kind) noexcept {
    return kind == kind::spam ? "spam" : "ham";
}

std::vector<std::string> read_lines(std::string_view file) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (file.starts_with(byte_order_mark)) file.remove_prefix(byte_order_mark.size());
    std::vector<std::string> lines;
    while (!file.empty()) {
        auto line = file.substr(0, file.find('\n'));
        file.remove_prefix(std::min(file.size(), line.size() + 1));
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
        while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
        if (!line.empty()) lines.push_back(base::as_utf8(std::string(line)));
    }
    return lines;
}

std::string written_lines(std::span<std::string const> texts) {
    std::string file;
    for (auto text : texts) {
        for (auto& c : text)
            if (c == '\n' || c == '\r') c = ' ';
        file.append(text).append("\n");
    }
    return file;
}

std::vector<sample> samples_of(kind kind, std::string_view file) {
    std::vector<sample> samples;
    for (auto& text : read_lines(file)) samples.push_back({kind, std::move(text)});
    return samples;
}

std::vector<sample> const& public_samples() {
    static auto const samples = [] {
        auto read = samples_of(kind::spam, public_spam_file());
        auto const ham = samples_of(kind::ham, public_ham_file());
        read.insert(read.end(), ham.begin(), ham.end());
        return read;
    }();
    return samples;
}

std::vector<sample> const& everyday_samples() {
    static auto const samples = samples_of(kind::ham, everyday_ham_file());
    return samples;
}

std::vector<std::string> const& default_stop_words() {
    static auto const words = read_lines(stop_words_file());
    return words;
}

} // namespace postrider::agent::spam
