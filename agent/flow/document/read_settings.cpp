#include "agent/describe/bounds.hpp"
#include "agent/flow/document/read_parts.hpp"

namespace postrider::agent::flow {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view mailboxes[]{"queue", "coalesce", "interrupt", "route"};
constexpr std::chrono::milliseconds longest_execution = 24h * 366;

constexpr text_rule help_rule{.most = 2000};

} // namespace

settings read_settings(boost::json::object const& object, problem_list& problems) {
    form in(object, "/settings", "", problems);
    settings settings;
    settings.lane = in.text("lane", prose).value_or("");
    settings.mailbox = in.word("mailbox", mailboxes).value_or("");
    settings.debounce = in.span("debounce", bounds::longest_debounce);
    settings.timeout = in.span("timeout", longest_execution);
    settings.help = in.text("help", help_rule).value_or("");
    if (auto const* texts = in.object("help_in")) {
        form translated(*texts, "/settings/help_in", "", problems);
        for (auto const& [code, text] : *texts)
            settings.help_in[std::string(code)] = translated.text(code, help_rule).value_or("");
    }
    settings.error_flow = in.text("error_flow", flow_name).value_or("");
    if (auto const* variables = in.object("variables")) settings.variables = *variables;
    return settings;
}

} // namespace postrider::agent::flow
