// `executions list`: read-only, over the documented view. What went through the nodes of one is the
// server's to tell: execution_show.cpp.
#include "server/views/executions.hpp"

#include "base/json_text.hpp"
#include "server/api/execution_json.hpp"
#include "server/cli/command.hpp"
#include "server/cli/job_choice.hpp"
#include "server/cli/table.hpp"
#include "server/start/local_database.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

constexpr std::size_t reason_width = 60;

// "v3 (now v5)", where what starts now is another one.
std::string version_of(server::execution_summary const& execution) {
    if (!execution.version) return "-";
    auto const pinned = fmt::format("v{}", *execution.version);
    if (execution.current_version == execution.version) return pinned;
    if (!execution.current_version) return pinned + " (now none)";
    return fmt::format("{} (now v{})", pinned, *execution.current_version);
}

std::string reason_of(queue::job_summary const& job) {
    auto const& text = job.error_class.empty() ? job.waiting_for : job.error;
    return one_line(text.empty() ? job.error_class : text, reason_width);
}

std::string to_text(std::vector<server::execution_summary> const& executions) {
    std::vector<cells> lines;
    for (auto const& each : executions)
        lines.push_back(
            {std::to_string(each.job.id),
             each.flow,
             version_of(each),
             each.job.state + (each.trial ? " (trial)" : ""),
             each.job.created_at.substr(0, 19) + "Z",
             base::to_text(each.job.age),
             reason_of(each.job)}
        );
    return table({"id", "flow", "version", "state", "created", "took", ""}, lines);
}

boost::json::object to_json(server::execution_page const& page) {
    boost::json::array executions;
    for (auto const& each : page.executions) executions.push_back(api::to_json(each));
    boost::json::object body{{"executions", std::move(executions)}};
    if (page.continues) body["next"] = base::to_string(*page.continues);
    return body;
}

} // namespace

int executions_list(context const& in) {
    auto const chosen = filter_of(in.args.chosen);
    if (!chosen) return usage(in, chosen.error().detail);
    server::execution_filter filter;
    filter.flow = in.args.flow.name;
    if (!in.args.flow.version.empty()) filter.version = std::stoll(in.args.flow.version);
    filter.states = chosen->states;
    filter.error_class = chosen->error_class;
    filter.since = chosen->created_after;
    filter.until = chosen->created_before;
    auto const below =
        in.args.below > 0 ? std::optional(job_id{in.args.below}) : std::optional<job_id>();
    auto db = server::open_local_database(in.configured.values, "postrider executions");
    if (!db) return fail(in, "open the database", db.error());
    server::execution_page page;
    auto read = storage::run_blocking(db->options, [&](storage::transaction& tx) {
        page = server::list_executions(tx, filter, below, in.args.limit);
    });
    if (!read) return fail(in, "read the executions", read.error());
    if (in.args.json)
        in.out << base::json_text(to_json(page)) << '\n';
    else if (page.executions.empty())
        in.err << "No execution matches.\n";
    else
        in.out << to_text(page.executions);
    if (page.continues && !in.args.json)
        in.err << fmt::format("More: --below {}\n", base::raw(*page.continues));
    return 0;
}

} // namespace postrider::cli
