#include "agent/flow/n8n/mapping.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view date_time_types[]{"dateTime"};

bool date_keeps(translation const& in) {
    return in.is_true("options.includeInputFields") || in.node().version < 2;
}

std::string unit_word(std::string unit) {
    if (unit.ends_with('s')) unit.pop_back();
    return text_literal(unit);
}

// The current date, or a date that is moved, rounded or written in another form.
std::optional<std::string> date_expression(translation& in) {
    auto const operation =
        in.word("operation", in.node().version < 2 ? "format" : "getCurrentDate");
    if (operation == "getCurrentDate")
        return in.find("includeTime") && !in.is_true("includeTime") ? "$now.startOf(\"day\")"
                                                                    : "$now";
    for (auto path : {"magnitude", "date", "value", "startDate"}) {
        auto const* value = in.find(path);
        auto const date = value ? in.operand("fields", *value) : std::nullopt;
        if (!date) continue;
        auto const instant = "timestamp(" + date->source + ")";
        auto const amount = in.number("duration").value_or(0);
        if (operation == "addToDate" || operation == "subtractFromDate")
            return fmt::format(
                "{}.{}({}, {})",
                instant,
                operation == "addToDate" ? "plus" : "minus",
                amount,
                unit_word(in.word("timeUnit", "days"))
            );
        if (operation == "roundDate")
            return fmt::format("{}.startOf({})", instant, unit_word(in.word("toNearest", "month")));
        if (operation == "extractDate")
            return fmt::format(
                "int({}.format(\"%{}\"))",
                instant,
                in.word("part") == "year"  ? 'Y'
                : in.word("part") == "day" ? 'd'
                                           : 'm'
            );
        if (operation == "formatDate" || operation == "format") return "string(" + instant + ")";
        return std::nullopt;
    }
    return std::nullopt;
}

void map_date(translation& in) {
    auto const expression = date_expression(in);
    if (!expression) return in.become_placeholder("it worked with a date: " + in.word("operation"));
    in.become("set");
    auto const field = in.word(
        "outputFieldName",
        in.node().version < 2 ? in.word("dataPropertyName", "data")
        : in.word("operation", "getCurrentDate") == "getCurrentDate" ? "currentDate"
                                                                     : "newDate"
    );
    in.put_value("fields", boost::json::object{{field, in_braces(*expression)}});
    in.put_value("keep_others", date_keeps(in));
    if (in.word("operation").starts_with("format"))
        in.warn(
            "n8n_parameter",
            "fields",
            "the form of the date is ISO 8601 here",
            "format(\"%d.%m.%Y\") writes another one",
            "format"
        );
}

} // namespace

extern constinit mapping const date_time_mapping{
    .types = date_time_types, .map = map_date, .items = passing::kept, .keeps = date_keeps};

} // namespace postrider::agent::flow::n8n
