// `executions list`: read-only, over the documented view. What went through the nodes of one is the
// server's to tell: executions_show.cpp.
#include "base/json/text.hpp"
#include "server/api/execution_json.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/flow_work.hpp"
#include "server/cli/job_choice.hpp"
#include "server/cli/listing.hpp"
#include "server/cli/table.hpp"
#include "server/views/executions.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

constexpr std::size_t reason_width = 60;

// "v3 (now v5)", where what starts now is another one.
std::string version_text(server::execution_summary const& execution) {
    if (!execution.version) return "-";
    if (*execution.version == 0) return "draft";
    auto pinned = fmt::format("v{}", *execution.version);
    if (execution.current_version == execution.version) return pinned;
    if (!execution.current_version) return pinned + " (now none)";
    return fmt::format("{} (now v{})", pinned, *execution.current_version);
}

std::string reason_of(queue::job_summary const& job) {
    auto const& text = job.error_class.empty() ? job.waiting_for : job.error;
    return one_line(text.empty() ? job.error_class : text, reason_width);
}

std::string executions_text(std::vector<server::execution_summary> const& executions) {
    std::vector<cells> lines;
    for (auto const& execution : executions)
        lines.push_back(
            {std::to_string(execution.job.id),
             execution.flow,
             version_text(execution),
             (execution.job.degraded ? "degraded" : execution.job.state) +
                 (execution.trial ? " (trial)" : ""),
             execution.job.created_at.substr(0, 19) + "Z",
             base::to_text(execution.job.took),
             reason_of(execution.job)}
        );
    return table({"id", "flow", "version", "state", "created", "took", ""}, lines);
}

boost::json::object page_json(server::execution_page const& page) {
    boost::json::array executions;
    for (auto const& execution : page.executions) executions.push_back(api::to_json(execution));
    boost::json::object body{{"executions", std::move(executions)}};
    if (page.continues) body["next"] = base::to_string(*page.continues);
    return body;
}

struct executions_list_arguments {
    std::string version;
    job_choice choice;
    cli::page page;
};

void declare_executions_list(option_parser& parser, executions_list_arguments& args) {
    auto& choice = args.choice;
    parser.add_option("--flow", choice.flow, "Only of this flow")->type_name("NAME");
    parser.add_option("--version", args.version, "Only executions of this version")
        ->check(version_number())
        ->type_name("N");
    add_states(parser, choice);
    parser.add_option("--error", choice.error_class, "Only executions that failed with this class")
        ->type_name("CLASS");
    add_times(parser, choice);
    add_page(parser, args.page);
}

int run_executions_list(context const& in, executions_list_arguments const& args) {
    auto const chosen = filter_of(args.choice);
    if (!chosen) return usage(in, chosen.error().detail);
    server::execution_filter filter;
    filter.flow = chosen->flow;
    if (!args.version.empty()) filter.version = std::stoll(args.version);
    filter.states = chosen->states;
    filter.degraded = chosen->degraded;
    filter.degraded_reason = chosen->degraded_reason;
    filter.error_class = chosen->error_class;
    filter.created_after = chosen->created_after;
    filter.created_before = chosen->created_before;
    server::execution_page page;
    std::string hint;
    auto const below = job_or_none(args.page.cursor);
    int const code = in_database(in, "read the executions", [&](storage::transaction& tx) {
        page = server::list_executions(tx, filter, below, args.page.limit);
        if (!page.executions.empty()) return;
        hint = error_class_hint(args.choice);
        if (hint.empty() && !filter.flow.empty()) hint = flow_suggestion(tx, filter.flow);
    });
    if (code != 0) return code;
    if (in.json)
        in.out << base::json_text(page_json(page)) << '\n';
    else if (page.executions.empty())
        in.err << "No execution matches" << (hint.empty() ? "." : hint) << '\n';
    else
        in.out << executions_text(page.executions);
    tell_next_page(in, page.continues);
    return 0;
}

} // namespace

namespace commands {

extern constinit command const executions_list{
    .path = "executions list",
    .summary = "The newest executions",
    .example = "postrider executions list --flow support --state failed",
    .prepare = with_options<declare_executions_list, run_executions_list>};

} // namespace commands

} // namespace postrider::cli
