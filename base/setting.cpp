#include "base/setting.hpp"

#include "base/ascii.hpp"
#include "base/clock.hpp"
#include "base/texts.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <utility>

namespace postrider::base {

namespace {

constexpr std::string_view mask = "********";
constexpr std::string_view password = "password";
constexpr std::string_view blanks = " \t\n\v\f\r"; // as libpq has them
constexpr std::string_view ends_of_name = "= \t\n\v\f\r";

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t number = 0;
    auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

// As it may stand in a line of text. No secret's: those are never quoted.
std::string in_quotes(std::string_view value) {
    constexpr std::size_t longest = 40;
    auto text = as_utf8(shortened(value, longest));
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
    return '"' + text + '"';
}

// The count of a number or a span, to be compared with the constraint's bounds.
std::optional<std::int64_t> measure(setting_type type, std::string_view text) {
    if (type == setting_type::integer) return whole_number(text);
    auto span = duration_from_text(text);
    if (!span) return std::nullopt;
    return span->count();
}

std::optional<std::string> problem_with_range(setting const& row, std::string_view value) {
    auto count = measure(row.type, value);
    if (!count) {
        auto const form = row.type == setting_type::span
                              ? "a span of time with its unit, such as 250ms, 10s, 5min or 2h,"
                              : "a whole number";
        auto const range = row.constraint.empty() ? "" : fmt::format(" within {}", row.constraint);
        return fmt::format("must be {}{}, not {}", form, range, in_quotes(value));
    }
    auto dots = row.constraint.find("..");
    if (dots == row.constraint.npos) return std::nullopt;
    auto least = measure(row.type, row.constraint.substr(0, dots));
    auto most = measure(row.type, row.constraint.substr(dots + 2));
    if ((least && *count < *least) || (most && *count > *most))
        return fmt::format("must be within {}, not {}", row.constraint, value);
    return std::nullopt;
}

std::optional<std::string> problem_with_choice(setting const& row, std::string_view value) {
    if (row.constraint.empty()) return std::nullopt;
    std::vector<std::string> choices;
    for (auto rest = row.constraint; !rest.empty();) {
        auto bar = std::min(rest.find('|'), rest.size());
        choices.emplace_back(rest.substr(0, bar));
        if (choices.back() == value) return std::nullopt;
        rest.remove_prefix(std::min(bar + 1, rest.size()));
    }
    return fmt::format(
        "must be one of {}; not {}{}",
        joined(choices, ", "),
        in_quotes(value),
        suggestion(value, choices)
    );
}

// Of the server or of the key's file: password, sslpassword.
bool names_password(std::string_view name) {
    auto const end = name.substr(name.size() - std::min(name.size(), password.size()));
    return equals_without_case(end, password);
}

// What may be a password though nobody could say where it begins and ends.
bool hints_at_password(std::string_view text) {
    return text.find('@') != text.npos || to_lower(std::string(text)).find(password) != text.npos;
}

std::string percent_decoded(std::string_view text) {
    std::string decoded;
    while (!text.empty()) {
        unsigned char code = 0;
        auto const digits = text.front() == '%' ? text.substr(1, 2) : std::string_view();
        auto const read = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        bool const coded = digits.size() == 2 && read.ptr == digits.data() + digits.size();
        decoded += coded ? static_cast<char>(code) : text.front();
        text.remove_prefix(coded ? 3 : 1);
    }
    return decoded;
}

// Where the parameter's value that begins at `from` ends. What follows a bare '&' belongs to it where
// it is no parameter.
std::size_t end_of_parameter(std::string_view text, std::size_t from) {
    auto end = std::min(text.find('&', from), text.size());
    while (end < text.size()) {
        auto const next = std::min(text.find('&', end + 1), text.size());
        if (text.substr(end, next - end).find('=') != text.npos) break;
        end = next;
    }
    return end;
}

void hide_parameters(std::string& text, std::size_t from) {
    constexpr std::string_view separators = "?&";
    for (auto at = text.find('?', from); at != text.npos; at = text.find_first_of(separators, at)) {
        auto const name = ++at;
        auto const equals = text.find_first_of("=?&", name);
        if (equals == text.npos) return;
        if (text[equals] != '=') continue;
        if (!names_password(percent_decoded(text.substr(name, equals - name)))) continue;
        auto const value = equals + 1;
        auto const end = end_of_parameter(text, value);
        if (end > value) text.replace(value, end - value, mask);
    }
}

// "postgres://user:password@host/db?password=…"; `start` is behind the scheme.
std::string without_url_password(std::string text, std::size_t start) {
    hide_parameters(text, start); // they may hold an '@'
    auto const authority_end = std::min(text.find_first_of("/?#", start), text.size());
    // A password with a bare '/' or '?' in it is no legal URL, yet must not be shown either.
    auto at = text.rfind('@');
    if (at != text.npos && at < authority_end) at = text.rfind('@', authority_end);
    auto const colon = at == text.npos ? text.npos : text.find(':', start);
    if (colon != text.npos && colon < at) text.replace(colon + 1, at - colon - 1, mask);
    return text;
}

// Where the value that begins at `from` ends; none: its quote is not closed.
std::optional<std::size_t> end_of_value(std::string_view text, std::size_t from) {
    bool const quoted = from < text.size() && text[from] == '\'';
    for (auto at = from + (quoted ? 1 : 0); at < text.size(); ++at) {
        if (text[at] == '\\')
            ++at;
        else if (quoted && text[at] == '\'')
            return at + 1;
        else if (!quoted && blanks.find(text[at]) != blanks.npos)
            return at;
    }
    if (quoted) return std::nullopt;
    return text.size();
}

// "host=… password = '…'", word by word as libpq reads it. Where it could not go on, what is left is
// not shown if there may be a password in it.
std::string without_keyword_password(std::string_view text) {
    std::string masked;
    bool any_hidden = false;
    while (true) {
        auto const name = text.find_first_not_of(blanks);
        if (name == text.npos) return masked.append(text);
        auto const name_end = std::min(text.find_first_of(ends_of_name, name), text.size());
        auto const equals = text.find_first_not_of(blanks, name_end);
        bool const has_value = equals != text.npos && text[equals] == '=';
        auto const value = has_value
                               ? std::min(text.find_first_not_of(blanks, equals + 1), text.size())
                               : text.npos;
        auto const end = has_value ? end_of_value(text, value) : std::nullopt;
        if (!end && !any_hidden && !hints_at_password(text)) return masked.append(text);
        if (!end) return masked.append(text.substr(0, name)).append(mask);
        bool const hides = *end > value && names_password(text.substr(name, name_end - name));
        masked.append(text.substr(0, value));
        masked.append(hides ? mask : text.substr(value, *end - value));
        any_hidden = any_hidden || hides;
        text.remove_prefix(*end);
    }
}

std::string without_password(std::string_view value) {
    constexpr std::string_view behind_scheme = "://";
    auto const scheme = value.find(behind_scheme);
    bool const is_url = scheme != value.npos && value.find_first_of(ends_of_name) > scheme;
    if (is_url) return without_url_password(std::string(value), scheme + behind_scheme.size());
    return without_keyword_password(value);
}

// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> two_before, before(b.size() + 1), row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        two_before = std::exchange(before, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            auto const replace = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({replace, before[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], two_before[j - 2] + 1);
        }
    }
    return row.back();
}

std::string_view last_segment(std::string_view key) {
    return key.substr(key.rfind('.') + 1); // npos + 1 = 0: the whole
}

} // namespace

std::optional<std::string> problem_with(setting const& row, std::string_view value) {
    if (value.empty()) return std::nullopt;
    // What takes it as a C string would cut it off there.
    if (has_nul(value)) return "holds a NUL byte";
    switch (row.type) {
    case setting_type::text:
        return problem_with_choice(row, value);
    case setting_type::integer:
    case setting_type::span:
        return problem_with_range(row, value);
    case setting_type::numbers:
        for (auto const& item : split_words(value))
            if (!whole_number(item))
                return fmt::format(
                    "must be a list of whole numbers such as 123, 456; {} is none", in_quotes(item)
                );
        return std::nullopt;
    case setting_type::secret:
        for (unsigned char c : value)
            if (c <= ' ' || c == 0x7f) return "holds a blank or a control character";
        return std::nullopt;
    case setting_type::url:
    case setting_type::words:
        return std::nullopt;
    }
    return std::nullopt;
}

std::string masked(setting const& row, std::string_view value) {
    if (value.empty()) return {};
    if (row.type == setting_type::secret) return std::string(mask);
    if (row.type == setting_type::url) return without_password(value);
    return std::string(value);
}

std::vector<std::string> split_words(std::string_view list) {
    std::vector<std::string> words;
    while (!list.empty()) {
        auto comma = std::min(list.find(','), list.size());
        auto word = list.substr(0, comma);
        auto first = word.find_first_not_of(" \t");
        if (first != word.npos)
            words.emplace_back(word.substr(first, word.find_last_not_of(" \t") - first + 1));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return words;
}

std::string nearest(std::string_view word, std::span<std::string const> candidates) {
    // One slip in three characters, or it is another word.
    std::size_t best = word.size() / 3 + 1;
    std::string best_match;
    for (auto const& candidate : candidates) {
        auto distance = edit_distance(word, candidate);
        if (distance < best) {
            best = distance;
            best_match = candidate;
        }
    }
    if (!best_match.empty()) return best_match;
    for (auto const& candidate : candidates)
        if (last_segment(candidate) == last_segment(word)) return candidate;
    return {};
}

std::string suggestion(std::string_view word, std::span<std::string const> candidates) {
    auto const meant = nearest(word, candidates);
    return meant.empty() ? "" : "; did you mean " + meant + "?";
}

} // namespace postrider::base
