#include "base/cron_parser.hpp"

#include "base/ascii.hpp"
#include "base/date_names.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <span>

namespace postrider::base {

// One of the six, with the range of its values.
struct cron_field {
    std::string_view name;
    int least;
    int most;
    std::span<std::string_view const> words; // names of values, the first is that of `first_word`
    int first_word = 0;
};

namespace {

constexpr std::size_t longest_expression = 256;

constexpr cron_field second{"second", 0, 59, {}};
constexpr cron_field minute{"minute", 0, 59, {}};
constexpr cron_field hour{"hour", 0, 23, {}};
constexpr cron_field day_of_month{"day-of-month", 1, 31, {}};
constexpr cron_field month{"month", 1, 12, short_months, 1};
constexpr cron_field day_of_week{"day-of-week", 0, 7, short_weekdays, 0};

struct macro {
    std::string_view name;
    std::string_view meaning;
};

constexpr std::array macros{
    macro{"@hourly", "0 * * * *"},
    macro{"@daily", "0 0 * * *"},
    macro{"@midnight", "0 0 * * *"},
    macro{"@weekly", "0 0 * * 0"},
    macro{"@monthly", "0 0 1 * *"},
    macro{"@yearly", "0 0 1 1 *"},
    macro{"@annually", "0 0 1 1 *"},
};

error wrong(cron_field const& field, std::size_t column, std::string const& reason) {
    return {errc::invalid, fmt::format("cron: {} (column {}): {}", field.name, column + 1, reason)};
}

template<std::size_t N>
std::bitset<N> first_bits(std::bitset<64> const& set) {
    return std::bitset<N>((set & std::bitset<64>((1ULL << N) - 1)).to_ullong());
}

bool is_star(std::string_view text) {
    return text.starts_with('*') || text.starts_with('?');
}

} // namespace

std::vector<cron_parser::word> cron_parser::words() const {
    std::vector<word> result;
    for (std::size_t at = 0; at < text_.size();) {
        auto const begin = text_.find_first_not_of(" \t", at);
        if (begin == text_.npos) break;
        at = std::min(text_.find_first_of(" \t", begin), text_.size());
        result.push_back({text_.substr(begin, at - begin), begin});
    }
    return result;
}

result<cron> cron_parser::parse() {
    if (text_.size() > longest_expression)
        return error(errc::invalid, "cron: longer than 256 characters");
    auto const all = words();
    if (all.size() == 1 && all.front().text.starts_with('@')) return parse_macro(all.front());
    if (all.size() != 5 && all.size() != 6)
        return error(
            errc::invalid,
            fmt::format(
                "cron: {} fields where 5 are expected (minute hour day-of-month month "
                "day-of-week), "
                "or 6 with seconds in front",
                all.size()
            )
        );
    constexpr std::array<cron_field const*, 6> fields{
        &second, &minute, &hour, &day_of_month, &month, &day_of_week};
    std::array<values, 6> read;
    read[0].set.set(0);
    auto const without = fields.size() - all.size();
    for (std::size_t n = without; n < fields.size(); ++n) {
        auto field = parse_field(*fields[n], all[n - without]);
        if (!field) return field.error();
        read[n] = *field;
    }
    if (read[5].set[7]) read[5].set.set(0); // Sunday has two numbers
    cron parsed;
    parsed.seconds_ = first_bits<60>(read[0].set);
    parsed.minutes_ = first_bits<60>(read[1].set);
    parsed.hours_ = first_bits<24>(read[2].set);
    parsed.days_ = first_bits<32>(read[3].set);
    parsed.months_ = first_bits<13>(read[4].set);
    parsed.weekdays_ = first_bits<7>(read[5].set);
    parsed.last_day_ = read[3].last_day;
    parsed.either_day_ = !read[3].starred && !read[5].starred;
    parsed.by_real_time_ = read[1].starred || read[2].starred;
    return parsed;
}

result<cron> cron_parser::parse_macro(word const& name) const {
    auto const lowered = to_lower(std::string(name.text));
    for (auto const& known : macros)
        if (known.name == lowered) return cron_parser(known.meaning).parse();
    return error(
        errc::invalid,
        fmt::format(
            "cron: column {}: unknown name; @hourly, @daily, @weekly, @monthly and @yearly are "
            "known",
            name.column + 1
        )
    );
}

result<cron_parser::values> cron_parser::parse_field(cron_field const& field, word const& token)
    const {
    values read;
    read.starred = is_star(token.text);
    for (std::size_t at = 0; at <= token.text.size();) {
        auto const comma = std::min(token.text.find(',', at), token.text.size());
        auto part = parse_part(field, {token.text.substr(at, comma - at), token.column + at}, read);
        if (!part) return part.error();
        at = comma + 1;
    }
    return read;
}

// *, ?, L, a, a-b, each but L with /step where it is a range.
result<void> cron_parser::parse_part(cron_field const& field, word part, values& into) const {
    if (part.text.empty()) return wrong(field, part.column, "a value is missing");
    if (equals_without_case(part.text, "L") && &field == &day_of_month) {
        into.last_day = true;
        return {};
    }
    auto const slash = part.text.find('/');
    auto const range = part.text.substr(0, slash);
    auto const dash = range.find('-');
    int from = field.least;
    int to = &field == &day_of_week ? 6 : field.most;
    if (range != "*" && range != "?") {
        auto const first = parse_value(field, {range.substr(0, dash), part.column});
        if (!first) return first.error();
        from = to = *first;
        if (dash == range.npos && slash != part.text.npos)
            return wrong(
                field,
                part.column,
                fmt::format("a step needs a range: write {}-{}/…", range, field.most)
            );
    }
    if (dash != range.npos) {
        auto const last = parse_value(field, {range.substr(dash + 1), part.column + dash + 1});
        if (!last) return last.error();
        to = *last == 0 && from > 0 && &field == &day_of_week ? 7 : *last; // sat-sun
        if (to < from) return wrong(field, part.column, fmt::format("{} runs backwards", range));
    }
    int step = 1;
    if (slash != part.text.npos) {
        auto const digits = part.text.substr(slash + 1);
        auto const column = part.column + slash + 1;
        auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), step);
        if (ec != std::errc{} || end != digits.data() + digits.size() || step < 1)
            return wrong(field, column, "a step is a number from 1 on");
        if (step > field.most)
            return wrong(field, column, fmt::format("a step of {} leaves the range", step));
    }
    for (int n = from; n <= to; n += step) into.set.set(static_cast<std::size_t>(n));
    return {};
}

result<int> cron_parser::parse_value(cron_field const& field, word token) const {
    auto const name = to_lower(std::string(token.text));
    for (std::size_t n = 0; n < field.words.size(); ++n)
        if (field.words[n] == name) return static_cast<int>(n) + field.first_word;
    int number = 0;
    auto [end, ec] =
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
    bool const digits = !token.text.empty() && token.text.front() != '-' &&
                        end == token.text.data() + token.text.size();
    if (!digits || ec == std::errc::invalid_argument)
        return wrong(
            field,
            token.column,
            token.text.empty()
                ? "a value is missing"
                : fmt::format(
                      "'{}' is no {}", token.text, field.words.empty() ? "number" : "number or name"
                  )
        );
    if (ec != std::errc{} || number < field.least || number > field.most)
        return wrong(
            field,
            token.column,
            fmt::format("{} is not within {}-{}", token.text, field.least, field.most)
        );
    return number;
}

} // namespace postrider::base
