#include "agent/expression/calendar_unit.hpp"
#include "agent/expression/values.hpp"
#include "agent/flow/nodes/field_of_item.hpp"
#include "base/json/json.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;
namespace times = expressions;

namespace {

base::error invalid_date(times::failure const& reason) {
    return {base::errc::invalid, reason.reason};
}

// A local time or a date alone is of the zone.
base::result<times::timestamp> read_date(
    std::string_view text, std::string_view format, times::zone const& place
) {
    if (!format.empty()) {
        auto const read = times::read_formatted(text, format, place);
        if (!read) return invalid_date(read.error());
        return times::timestamp{*read};
    }
    bool const is_day = text.size() == base::date_size;
    auto const wall = base::local_from_iso8601(std::string(text) + (is_day ? "T00:00" : ""));
    if (wall) return times::timestamp{place.at(*wall)};
    if (auto const instant = times::read_timestamp(text)) return *instant;
    return base::error(
        base::errc::invalid,
        "the text is no date; one is such as 2026-11-21T08:53:00Z or 2026-11-21"
    );
}

base::result<json::value> write_date(
    times::timestamp at, std::string_view format, times::zone const& place, times::budget& budget
) {
    auto const moment = times::moment_at(at.instant(), place);
    if (format.empty()) return json::value(base::to_iso8601(moment.instant, moment.offset));
    times::bounded_text text(budget);
    if (auto const reason = times::append_formatted(text, moment, format))
        return invalid_date(*reason);
    return json::value(text.text());
}

base::result<json::value> calculate_date(base::json_reader const& fields) {
    times::budget budget{expression_limits{}};
    auto const place = times::zone::find(fields["timezone"].string(), budget);
    if (!place) return invalid_date(place.error());
    auto const read_format = fields["read_format"].string();
    auto const date = read_date(fields["date"].string(), read_format, *place);
    if (!date) return date.error();
    auto const operation = fields["operation"].string();
    auto const& unit = *times::find_calendar_unit(fields["unit"].string());
    if (operation == "difference") {
        auto const end = read_date(fields["to"].string(), read_format, *place);
        if (!end) return end.error();
        return times::number_value(times::units_between(*date, *end, unit, *place));
    }
    auto result = *date;
    if (operation == "start_of") result = times::start_of_unit(*date, unit, *place);
    if (operation == "add") {
        auto const later = times::add_units(*date, fields["amount"].number(), unit, *place);
        if (!later) return invalid_date(later.error());
        result = *later;
    }
    auto const bounded = times::operand_of(result);
    if (!bounded) return invalid_date(bounded.error());
    return write_date(result, fields["format"].string(), *place, budget);
}

base::result<outputs> put_date(item_run const& run) {
    json::value const parameters(run.parameters);
    base::json_reader const fields(parameters);
    auto result = calculate_date(fields);
    if (!result) return result.error();
    return to_main(with_field(run.input, fields["field"].string(), std::move(*result)));
}

} // namespace

behaviour date_behaviour() {
    return pure{put_date};
}

} // namespace postrider::agent::flow
