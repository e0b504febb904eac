#include "agent/loop/untrusted_text.hpp"

#include "base/ascii.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace postrider::agent {

namespace {

constexpr std::string_view untrusted_mark = "untrusted_text";
constexpr std::size_t longest_source = 64;

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
}

std::string name_of(std::string_view source) {
    std::string name(source.substr(0, longest_source));
    std::ranges::replace_if(name, std::not_fn(is_plain), '_');
    return name;
}

// The name's '_' becomes a blank: nothing that is replaced makes the name anew.
std::string without_mark(std::string_view text) {
    std::string cleaned(text);
    auto const lower = base::to_lower(cleaned);
    for (auto at = lower.find(untrusted_mark); at != lower.npos;
         at = lower.find(untrusted_mark, at + untrusted_mark.size()))
        cleaned[at + untrusted_mark.find('_')] = ' ';
    return cleaned;
}

} // namespace

std::string mark_untrusted(std::string_view text, std::string_view source) {
    if (text.empty()) return {};
    return fmt::format(
        "<{0} source=\"{1}\">\n{2}\n</{0}>", untrusted_mark, name_of(source), without_mark(text)
    );
}

} // namespace postrider::agent
