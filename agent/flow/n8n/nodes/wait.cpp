#include "agent/flow/n8n/mapping.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view wait_types[]{"wait"};

std::string_view wait_unit(std::string_view unit) {
    if (unit == "minutes") return "min";
    if (unit == "hours") return "h";
    if (unit == "days") return "d";
    return "s";
}

// Behind a request n8n's items are the request.
constexpr renamed_member resumed_members[]{{"body", "event.body"}, {"query", "event.query"}};

bool wait_keeps(translation const& in) {
    auto const resume = in.word("resume");
    return resume != "webhook" && resume != "form";
}

renamed_members wait_members(translation const&) {
    return resumed_members;
}

void map_wait(translation& in) {
    in.become("wait");
    auto const resume = in.word("resume", "timeInterval");
    if (resume == "specificTime") {
        in.put("until", "dateTime");
        return;
    }
    if (resume == "webhook" || resume == "form") {
        in.put_value("resume", "link");
        if (in.is_true("limitWaitTime") &&
            in.word("limitType", "afterTimeInterval") == "afterTimeInterval")
            in.put_value(
                "timeout",
                boost::json::value(fmt::format(
                    "{}{}",
                    in.number("resumeAmount").value_or(1),
                    wait_unit(in.word("resumeUnit", "hours"))
                ))
            );
        else
            in.put_value("timeout", "30d");
        in.warn(
            "n8n_difference",
            "resume",
            "n8n waited for a request to the execution's own address",
            "its address is $execution.resume[\"the node's name\"] here; a request is a POST",
            "resume"
        );
        return;
    }
    // Version 1 counted hours, later ones seconds.
    auto const unit = wait_unit(in.word("unit", in.node().version < 1.1 ? "hours" : "seconds"));
    auto const* amount = in.find("amount");
    auto const text =
        amount && amount->is_string() ? in.operand("duration", *amount) : std::nullopt;
    if (text)
        in.put_value(
            "duration",
            boost::json::value(fmt::format("{{{{ string({}) + \"{}\" }}}}", text->source, unit))
        );
    else
        in.put_value(
            "duration",
            boost::json::value(fmt::format(
                "{}{}", in.number("amount").value_or(in.node().version < 1.1 ? 1 : 5), unit
            ))
        );
}

} // namespace

extern constinit mapping const wait_mapping{
    .types = wait_types,
    .map = map_wait,
    .items = passing::kept,
    .renamed = wait_members,
    .keeps = wait_keeps};

} // namespace postrider::agent::flow::n8n
