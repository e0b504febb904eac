#include "server/telegram/own_mention.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <functional>
#include <optional>

namespace postrider::telegram {

namespace {

constexpr std::string_view blanks = " \t\r\n";

// In bytes.
struct found_name {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_commands = false;
};

// Of "@name" and "/command@name", "@name".
std::optional<found_name> own_name_in(
    std::string_view text, text_mark const& mark, std::string_view username
) {
    auto const begin = base::byte_of_utf16(text, mark.offset);
    if (!begin) return std::nullopt;
    auto const end = base::byte_of_utf16(text.substr(*begin), mark.length);
    if (!end || *end <= username.size()) return std::nullopt;
    found_name name{*begin + *end - username.size() - 1, *begin + *end};
    name.is_commands = text[*begin] == '/';
    if (!name.is_commands && name.begin != *begin) return std::nullopt;
    bool const is_own =
        text[name.begin] == '@' &&
        base::equals_without_case(text.substr(name.begin + 1, username.size()), username);
    if (!is_own) return std::nullopt;
    return name;
}

bool is_blank(char c) {
    return blanks.find(c) != blanks.npos;
}

std::string_view without_blanks_behind(std::string_view text) {
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string_view without_blanks_before(std::string_view text) {
    auto const first = text.find_first_not_of(blanks);
    return first == text.npos ? std::string_view() : text.substr(first);
}

bool begins_with_one_of(std::string_view text, std::string_view characters) {
    return !text.empty() && characters.find(text.front()) != characters.npos;
}

// "@fern_bot, add milk" and "@fern_bot: add milk", not "@fern_bot :)".
std::string_view behind_address(std::string_view text) {
    auto const rest = without_blanks_before(text);
    bool const is_apart = rest.size() < 2 || is_blank(rest[1]);
    if (is_apart && begins_with_one_of(rest, ",:;")) return without_blanks_before(rest.substr(1));
    return rest;
}

// "is it late, @fern_bot?"
std::string_view before_end(std::string_view text) {
    auto const rest = without_blanks_behind(text);
    return rest.ends_with(',') ? without_blanks_behind(rest.substr(0, rest.size() - 1)) : rest;
}

std::string joined(std::string_view before, std::string_view behind) {
    auto const left = without_blanks_behind(before);
    auto const right = without_blanks_before(behind);
    if (left.empty()) return std::string(behind_address(behind));
    if (right.empty()) return std::string(before_end(before));
    auto const with = [](std::string_view a, std::string_view gap, std::string_view b) {
        return std::string(a).append(gap).append(b);
    };
    if (begins_with_one_of(behind, ".,;:!?")) return with(before_end(before), "", behind);
    auto const gap = before.substr(left.size());
    auto const next_gap = behind.substr(0, behind.size() - right.size());
    bool const is_next =
        gap.empty() || (next_gap.find('\n') != next_gap.npos && gap.find('\n') == gap.npos);
    return with(left, is_next ? next_gap : gap, right);
}

} // namespace

std::string without_own_mention(
    std::string text, std::vector<text_mark> marks, std::string_view username
) {
    if (username.empty() || marks.empty()) return text;
    // From the last to the first: so the places of those to come stay true.
    std::ranges::sort(marks, std::greater(), &text_mark::offset);
    auto rest = text;
    for (auto const& mark : marks) {
        auto const name = own_name_in(rest, mark, username);
        if (!name) continue;
        auto const before = std::string_view(rest).substr(0, name->begin);
        auto const behind = std::string_view(rest).substr(name->end);
        rest = name->is_commands ? std::string(before).append(behind) : joined(before, behind);
    }
    return without_blanks_before(rest).empty() ? text : rest;
}

} // namespace postrider::telegram
