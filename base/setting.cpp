#include "base/setting.hpp"

#include "base/clock.hpp"
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
    std::string choices;
    for (auto rest = row.constraint; !rest.empty();) {
        auto bar = std::min(rest.find('|'), rest.size());
        auto choice = rest.substr(0, bar);
        if (choice == value) return std::nullopt;
        choices += (choices.empty() ? "" : ", ") + std::string(choice);
        rest.remove_prefix(std::min(bar + 1, rest.size()));
    }
    return fmt::format("must be one of {}; not {}", choices, in_quotes(value));
}

// Hides what stands between the first of `open` and the next of `close` after it.
void hide(std::string& text, std::string_view open, std::string_view close) {
    auto start = text.find(open);
    if (start == text.npos) return;
    start += open.size();
    auto end = std::min(text.find_first_of(close, start), text.size());
    text.replace(start, end - start, mask);
}

// "postgres://user:password@host/db?password=…" or "host=… password='…'".
std::string without_password(std::string_view url) {
    std::string text(url);
    auto scheme = text.find("://");
    if (scheme != text.npos) {
        auto start = scheme + 3;
        auto authority_end = std::min(text.find_first_of("/?#", start), text.size());
        // A password with a bare '/' or '?' in it is no legal URL, yet must not be shown either.
        auto at = text.rfind('@');
        if (at != text.npos && at < authority_end) at = text.rfind('@', authority_end);
        auto colon = at == text.npos ? text.npos : text.find(':', start);
        if (colon != text.npos && colon < at) text.replace(colon + 1, at - colon - 1, mask);
        hide(text, "password=", "&");
        return text;
    }
    auto quoted = text.find("password='");
    if (quoted != text.npos)
        hide(text, "password='", "'");
    else
        hide(text, "password=", " ");
    return text;
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
    if (value.find('\0') != value.npos) return "holds a NUL byte";
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

std::string nearest(std::string_view word, std::span<std::string const> known) {
    // One slip in three characters, or it is another word.
    std::size_t best = word.size() / 3 + 1;
    std::string found;
    for (auto const& candidate : known) {
        auto distance = edit_distance(word, candidate);
        if (distance < best) {
            best = distance;
            found = candidate;
        }
    }
    if (!found.empty()) return found;
    for (auto const& candidate : known)
        if (last_segment(candidate) == last_segment(word)) return candidate;
    return {};
}

std::string suggestion(std::string_view word, std::span<std::string const> known) {
    auto const meant = nearest(word, known);
    return meant.empty() ? "" : "; did you mean " + meant + "?";
}

} // namespace postrider::base
