#include "agent/flow/document/read_parts.hpp"

namespace postrider::agent::flow {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view mailboxes[]{"queue", "coalesce", "interrupt", "route"};
constexpr std::chrono::milliseconds longest_debounce = 1h;
constexpr std::chrono::milliseconds longest_execution = 24h * 366;

} // namespace

settings read_settings(boost::json::object const& from, problem_list& found) {
    form in(from, "/settings", "", found);
    settings made;
    made.lane = in.text("lane", prose).value_or("");
    made.mailbox = in.word("mailbox", mailboxes).value_or("");
    made.debounce = in.span("debounce", longest_debounce);
    made.timeout = in.span("timeout", longest_execution);
    made.error_flow = in.text("error_flow", flow_name).value_or("");
    if (auto const* variables = in.object("variables")) made.variables = *variables;
    return made;
}

} // namespace postrider::agent::flow
