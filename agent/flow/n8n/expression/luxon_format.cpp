// Formats of Luxon as those of strftime. What has no letter there, such as a day without its zero, is a part of
// a sum.
#include "agent/flow/n8n/expression/converter.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::flow::n8n {

namespace {

struct luxon_letter {
    std::string_view luxon;
    std::string_view here;     // a format, or
    std::string_view function; // a function of the instant, whose number it is
    int more = 0;              // is added to it
};
// Longer ones stand before their beginnings.
constexpr std::array<luxon_letter, 40> luxon_letters{{
    {"yyyy", "%Y", ""},       {"yy", "%y", ""},
    {"y", "", "getFullYear"}, {"MMMM", "%B", ""},
    {"MMM", "%b", ""},        {"MM", "%m", ""},
    {"M", "", "getMonth", 1}, {"LLLL", "%B", ""},
    {"LLL", "%b", ""},        {"LL", "%m", ""},
    {"L", "", "getMonth", 1}, {"dd", "%d", ""},
    {"d", "", "getDate"},     {"EEEE", "%A", ""},
    {"EEE", "%a", ""},        {"cccc", "%A", ""},
    {"ccc", "%a", ""},        {"HH", "%H", ""},
    {"H", "", "getHours"},    {"hh", "%I", ""},
    {"mm", "%M", ""},         {"m", "", "getMinutes"},
    {"ss", "%S", ""},         {"s", "", "getSeconds"},
    {"SSS", "%L", ""},        {"a", "%p", ""},
    {"ZZZZ", "%Z", ""},       {"ZZZ", "%z", ""},
    {"z", "%Z", ""},          {"WW", "%V", ""},
    {"ooo", "%j", ""},        {"TT", "%T", ""},
    {"T", "%H:%M", ""},       {"h", "", ""},
    {"ZZ", "", ""},           {"Z", "", ""},
    {"DDDD", "", ""},         {"DDD", "", ""},
    {"DD", "", ""},           {"D", "", ""},
}};

struct named_luxon_format {
    std::string_view name;
    std::string_view format;
};
constexpr std::array<named_luxon_format, 10> named_formats{{
    {"DATE_SHORT", "M/d/yyyy"},
    {"DATE_MED", "LLL d, yyyy"},
    {"DATE_FULL", "LLLL d, yyyy"},
    {"DATE_HUGE", "EEEE, LLLL d, yyyy"},
    {"TIME_24_SIMPLE", "HH:mm"},
    {"TIME_24_WITH_SECONDS", "HH:mm:ss"},
    {"TIME_24_WITH_SHORT_OFFSET", "HH:mm:ss z"},
    {"TIME_SIMPLE", "h:mm a"},
    {"DATETIME_MED", "LLL d, yyyy, h:mm a"},
    {"DATETIME_FULL", "LLLL d, yyyy 'at' h:mm a z"},
}};

// In the order of the text: a format, a text, or a number.
struct format_part {
    std::string format = {};
    std::string text = {};
    luxon_letter const* number = nullptr;
};

std::optional<std::vector<format_part>> parts_of(std::string_view luxon) {
    std::vector<format_part> parts;
    auto const add = [&](std::string_view format, std::string_view text) {
        if (parts.empty() || parts.back().number) parts.emplace_back();
        for (char c : text) parts.back().format += c == '%' ? "%%" : std::string(1, c);
        parts.back().text += text;
        parts.back().format += format;
        if (!format.empty()) parts.back().text.clear();
    };
    while (!luxon.empty()) {
        if (luxon.front() == '\'') {
            auto const end = std::min(luxon.find('\'', 1), luxon.size());
            add({}, luxon.substr(1, end - 1));
            luxon.remove_prefix(std::min(end + 1, luxon.size()));
            continue;
        }
        auto const letter = std::ranges::find_if(luxon_letters, [&](auto const& known) {
            return luxon.starts_with(known.luxon);
        });
        bool const is_letter = (luxon.front() >= 'a' && luxon.front() <= 'z') ||
                               (luxon.front() >= 'A' && luxon.front() <= 'Z');
        if (letter == luxon_letters.end()) {
            if (is_letter) return std::nullopt;
            add({}, luxon.substr(0, 1));
            luxon.remove_prefix(1);
            continue;
        }
        if (!letter->here.empty())
            add(letter->here, {});
        else if (!letter->function.empty() || letter->luxon == "h")
            parts.push_back({.number = &*letter});
        else
            return std::nullopt;
        luxon.remove_prefix(letter->luxon.size());
    }
    return parts;
}

bool has_letter(std::string_view format) {
    for (std::size_t at = 0; (at = format.find('%', at)) != format.npos; at += 2)
        if (at + 1 < format.size() && format[at + 1] != '%') return true;
    return false;
}

std::string zone_behind(term const& instant) {
    return instant.zone.empty() ? "" : ", " + instant.zone;
}

term number_of(term const& instant, luxon_letter const& letter) {
    // Twelve hours without a zero in front.
    if (letter.luxon == "h")
        return as_text(term_of(
            "int(" + within(instant) + ".format(\"%I\"" + zone_behind(instant) + "))", shape::number
        ));
    auto value = calling(instant, letter.function, instant.zone, shape::number);
    if (letter.more != 0) value = sum_of(value, {.text = "1", .shape = shape::number});
    return as_text(value);
}

} // namespace

std::optional<term> formatted(term const& instant, std::string_view luxon_format) {
    auto const parts = parts_of(luxon_format);
    if (!parts || parts->empty()) return std::nullopt;
    std::optional<term> sum;
    for (auto const& part : *parts) {
        auto const next = part.number ? number_of(instant, *part.number)
                          : has_letter(part.format)
                              ? calling(
                                    instant,
                                    "format",
                                    text_literal(part.format) + zone_behind(instant),
                                    shape::text
                                )
                              : constant_of_text(part.text);
        sum = sum ? sum_of(*sum, next) : next;
    }
    return sum;
}

std::string_view named_format(std::string_view name) noexcept {
    auto const place = std::ranges::find(named_formats, name, &named_luxon_format::name);
    return place == named_formats.end() ? "" : place->format;
}

std::optional<std::string> readable_format(std::string_view luxon_format) {
    auto const parts = parts_of(luxon_format);
    if (!parts || parts->size() != 1 || parts->front().number) return std::nullopt;
    return parts->front().format;
}

} // namespace postrider::agent::flow::n8n
