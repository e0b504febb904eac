// Methods of Luxon's DateTime and of Date, in UTC unless a zone is set.
#include "agent/flow/n8n/expression/converter.hpp"

#include <fmt/format.h>

#include <array>

namespace postrider::agent::flow::n8n {

using script::node_kind;

namespace {

// (…, "Europe/Berlin")
std::string zoned(term const& instant, std::string arguments = {}) {
    if (instant.zone.empty()) return arguments;
    return arguments.empty() ? instant.zone : arguments + ", " + instant.zone;
}

term in_same_zone(term const& of, std::string text) {
    auto result = term_of(std::move(text), shape::instant);
    result.zone = of.zone;
    return result;
}

term number_part(term const& of, std::string_view function) {
    return calling(of, function, zoned(of), shape::number);
}

struct part_name {
    std::string_view script;
    std::string_view here;
    std::string_view format = {}; // instead, if it is a word
};
constexpr std::array<part_name, 20> part_names{{
    {"year", "getFullYear"},
    {"month", "getMonth"},
    {"day", "getDate"},
    {"hour", "getHours"},
    {"minute", "getMinutes"},
    {"second", "getSeconds"},
    {"millisecond", "getMilliseconds"},
    {"monthLong", "", "LLLL"},
    {"monthShort", "", "LLL"},
    {"weekdayLong", "", "EEEE"},
    {"weekdayShort", "", "EEE"},
    {"weekNumber", "", "WW"},
    {"getFullYear", "getFullYear"},
    {"getMonth", "getMonth"},
    {"getDate", "getDate"},
    {"getHours", "getHours"},
    {"getMinutes", "getMinutes"},
    {"getSeconds", "getSeconds"},
    {"getMilliseconds", "getMilliseconds"},
    {"getDay", "getDayOfWeek"},
}};

// Luxon's members by these names; Luxon counts months from 1, Date from 0.
template<std::size_t Index>
term part_of_instant(converter&, term const& of, script::node const&) {
    auto const& part = part_names[Index];
    if (part.script == "weekNumber")
        return term_of(
            "double(" + calling(of, "format", zoned(of, "\"%V\"")).text + ")", shape::number
        );
    if (!part.format.empty()) return *formatted(of, part.format);
    auto const value = number_part(of, part.here);
    return part.script == "month" ? sum_of(value, {.text = "1", .shape = shape::number}) : value;
}

term weekday_of(converter&, term const& of, script::node const&) {
    return {
        .text = "(" + number_part(of, "getDayOfWeek").text + " + 6) % 7 + 1",
        .shape = shape::number,
        .binding = binding::sum};
}

term milliseconds_of(converter&, term const& of, script::node const&) {
    return calling(of, "unixMillis", {}, shape::number);
}

term seconds_of(converter&, term const& of, script::node const&) {
    return calling(of, "unixSeconds", {}, shape::number);
}

term iso_of(converter&, term const& of, script::node const&) {
    return calling(of, "format", "\"%Y-%m-%dT%H:%M:%S.%LZ\"", shape::text);
}

term iso_date_of(converter&, term const& of, script::node const&) {
    return calling(of, "format", zoned(of, "\"%Y-%m-%d\""), shape::text);
}

term by_format(converter& in, term const& of, script::node const& call) {
    auto const format = in.constant_text(*argument(call, 0));
    if (!format) return in.refuse("the format of a date is computed");
    auto result = formatted(of, *format);
    return result ? *result : in.refuse("the format `" + *format + "` has no counterpart");
}

// A locale's own format, where it is known: the first argument, or the constant of DateTime.
template<bool Date, bool Time>
term by_locale(converter& in, term const& of, script::node const& call) {
    auto const* first = argument(call, 0);
    auto const* options = argument(call, 1);
    auto const locale = first ? in.constant_text(*first) : std::optional<std::string>("en-US");
    if (!locale) {
        auto const value = in.value_of(*first);
        constexpr std::string_view prefix = "DateTime.";
        bool const is_constant = value.is(shape::type) && value.text.starts_with(prefix);
        auto const format = named_format(
            is_constant ? std::string_view(value.text).substr(prefix.size()) : std::string_view()
        );
        if (format.empty()) return in.refuse("the format of a date is not known");
        return formatted(of, format).value_or(term());
    }
    auto instant = of;
    bool by_24_hours = *locale != "en-US";
    if (options && !options->is(node_kind::object))
        return in.refuse("an option of a locale's format is not known");
    for (std::size_t i = 0; options && i < options->size(); i += 2) {
        auto const& value = (*options)[i + 1];
        auto const name = in.constant_text((*options)[i]);
        auto const zone = in.constant_text(value);
        if (name == "hour12" && value.is_name("false"))
            by_24_hours = true;
        else if (name == "timeZone" && zone)
            instant.zone = text_literal(*zone);
        else
            return in.refuse("an option of a locale's format is not known");
    }
    std::string format = *locale == "en-US"   ? "M/d/yyyy"
                         : *locale == "en-GB" ? "dd/MM/yyyy"
                         : *locale == "de-DE" ? "d.M.yyyy"
                                              : "";
    if (format.empty()) return in.refuse("the format of the locale is not known");
    std::string const time = by_24_hours ? "HH:mm:ss" : "h:mm:ss a";
    if (!Date)
        format = time;
    else if (Time)
        format += ", " + time;
    return formatted(instant, format).value_or(term());
}

term by_words(converter&, term const& of, script::node const&) {
    return *formatted(of, "EEE LLL dd yyyy");
}

bool is_unit(std::string_view unit) {
    if (unit.ends_with('s')) unit.remove_suffix(1);
    for (std::string_view known :
         {"second", "minute", "hour", "day", "week", "month", "quarter", "year"})
        if (unit == known) return true;
    return false;
}

// plus({days: 1, hours: 2}), plus(1, "day"), plus(1000)
term shifted(converter& in, term const& of, script::node const& call) {
    auto const& function = call[0].text;
    auto const& first = *argument(call, 0);
    auto result = of;
    auto const shift = [&](script::node const& count, std::string_view unit) {
        if (!is_unit(unit)) {
            in.refuse("`" + std::string(unit) + "` is no unit of time here");
            return;
        }
        auto const arguments = in.value_of(count).text + ", " +
                               text_literal(unit.substr(0, unit.size() - unit.ends_with('s')));
        result = in_same_zone(of, calling(result, function, zoned(of, arguments)).text);
    };
    if (first.is(node_kind::object)) {
        for (std::size_t i = 0; i < first.size(); i += 2)
            shift(first[i + 1], in.constant_text(first[i]).value_or(""));
        return result;
    }
    auto const* second = argument(call, 1);
    auto const unit = second ? in.constant_text(*second) : std::nullopt;
    if (unit) {
        shift(first, *unit);
        return result;
    }
    auto const span = in.value_of(first);
    if (second || !span.is(shape::number)) return in.refuse("a span of time is not known");
    return in_same_zone(
        of, calling(of, function, "duration(string(" + span.text + ") + \"ms\")").text
    );
}

std::optional<std::string> unit_of(converter& in, script::node const& call, std::size_t index) {
    auto const* node = argument(call, index);
    auto unit = node ? in.constant_text(*node) : std::optional<std::string>("week");
    if (unit && is_unit(*unit)) {
        if (unit->ends_with('s')) unit->pop_back();
        return unit;
    }
    in.refuse("a unit of time is not known");
    return std::nullopt;
}

term start_of_unit_of(converter& in, term const& of, script::node const& call) {
    auto const unit = unit_of(in, call, 0);
    if (!unit) return {};
    return in_same_zone(of, calling(of, "startOf", zoned(of, text_literal(*unit))).text);
}

term end_of_unit_of(converter& in, term const& of, script::node const& call) {
    auto const unit = unit_of(in, call, 0);
    if (!unit) return {};
    auto const start = start_of_unit_of(in, of, call);
    auto const next = calling(start, "plus", zoned(of, "1, " + text_literal(*unit)));
    return in_same_zone(of, calling(next, "minus", "duration(\"1ms\")").text);
}

term in_zone(converter& in, term const& of, script::node const& call) {
    auto const* zone = argument(call, 0);
    auto result = of;
    result.zone.clear();
    if (!zone || call[0].text != "setZone") return result;
    auto const name = in.constant_text(*zone);
    if (!name) return in.refuse("the time zone is computed");
    if (*name != "utc" && *name != "UTC") result.zone = text_literal(*name);
    return result;
}

term unchanged(converter&, term const& of, script::node const&) {
    return of;
}

// date.setDate(date.getDate() + 2), as a number.
term moved_date(converter& in, term const& of, script::node const& call) {
    auto const& value = *argument(call, 0);
    bool const sum = value.is(node_kind::binary) && (value.text == "+" || value.text == "-");
    bool const fits = sum && value[0].is(node_kind::call) && value[0][0].is(node_kind::member) &&
                      value[0][0].text == "getDate" && same_tree(call[0][0], value[0][0][0]);
    if (!fits) return in.refuse("setDate() is converted where it adds to getDate()");
    auto const days = in.value_of(value[1]);
    auto const moved =
        calling(of, value.text == "+" ? "plus" : "minus", days.text + ", \"day\"", shape::instant);
    return calling(moved, "unixMillis", {}, shape::number);
}

term distance(converter& in, term const& of, script::node const& call) {
    bool const to_now = call[0].text == "diffToNow" || call[0].text == "diffNow";
    auto const other =
        to_now ? term{.text = "$now", .shape = shape::instant} : in.value_of(*argument(call, 0));
    bool const forward = call[0].text == "diffTo" || call[0].text == "diffToNow";
    auto const from = forward ? of : as_instant(other);
    auto const to = forward ? as_instant(other) : of;
    return calling(from, "until", to.text, shape::duration);
}

template<int Seconds>
term units_of_duration(converter& in, term const& of, script::node const&) {
    if (!of.is(shape::duration)) return in.refuse("the units of a span are not known");
    if (Seconds == 1) return term_of("double(" + of.text + ")", shape::number);
    return {
        .text = fmt::format("double({}) / {}", of.text, Seconds),
        .shape = shape::number,
        .binding = binding::product};
}

template<std::size_t... Index>
constexpr auto with_parts(std::index_sequence<Index...>) {
    return std::array{method{part_names[Index].script, 0, 0, part_of_instant<Index>}...};
}
constexpr std::size_t members_of_luxon = 12;

constexpr std::array named_time_methods{
    method{".ts", 0, 0, milliseconds_of},
    method{".weekday", 0, 0, weekday_of},
    method{".days", 0, 0, units_of_duration<86400>},
    method{".hours", 0, 0, units_of_duration<3600>},
    method{".minutes", 0, 0, units_of_duration<60>},
    method{".seconds", 0, 0, units_of_duration<1>},
    method{"toISO", 0, 1, iso_of},
    method{"toISOString", 0, 0, iso_of},
    method{"toJSON", 0, 0, iso_of},
    method{"toString", 0, 0, iso_of},
    method{"toISODate", 0, 0, iso_date_of},
    method{"toMillis", 0, 0, milliseconds_of},
    method{"getTime", 0, 0, milliseconds_of},
    method{"valueOf", 0, 0, milliseconds_of},
    method{"toSeconds", 0, 0, seconds_of},
    method{"toUnixInteger", 0, 0, seconds_of},
    method{"toFormat", 1, 2, by_format},
    method{"format", 1, 2, by_format},
    method{"toLocaleString", 0, 2, by_locale<true, true>},
    method{"toLocaleDateString", 0, 2, by_locale<true, false>},
    method{"toLocaleTimeString", 0, 2, by_locale<false, true>},
    method{"toDateString", 0, 0, by_words},
    method{"plus", 1, 2, shifted},
    method{"minus", 1, 2, shifted},
    method{"startOf", 0, 1, start_of_unit_of},
    method{"beginningOf", 0, 1, start_of_unit_of},
    method{"endOf", 1, 1, end_of_unit_of},
    method{"setZone", 1, 1, in_zone},
    method{"toUTC", 0, 0, in_zone},
    method{"toLocal", 0, 0, in_zone},
    method{"toDateTime", 0, 0, unchanged},
    method{"toJSDate", 0, 0, unchanged},
    method{"setDate", 1, 1, moved_date},
    method{"diff", 1, 2, distance},
    method{"diffNow", 0, 1, distance},
    method{"diffTo", 1, 2, distance},
    method{"diffToNow", 0, 1, distance},
};

} // namespace

std::span<method const> time_methods() {
    static auto const all = [] {
        constexpr auto parts = with_parts(std::make_index_sequence<part_names.size()>());
        // Members of Luxon have no parentheses.
        static std::array<std::string, members_of_luxon> const names = [&] {
            std::array<std::string, members_of_luxon> dotted;
            for (std::size_t i = 0; i < members_of_luxon; ++i)
                dotted[i] = "." + std::string(parts[i].name);
            return dotted;
        }();
        std::vector<method> methods(named_time_methods.begin(), named_time_methods.end());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            methods.push_back(parts[i]);
            if (i < members_of_luxon) methods.back().name = names[i];
        }
        return methods;
    }();
    return all;
}

} // namespace postrider::agent::flow::n8n
