#include "server/api/last_data.hpp"

#include "agent/flow/run/flow_choice.hpp"
#include "agent/flow/watch/past_names.hpp"
#include "agent/flow/watch/redaction.hpp"
#include "agent/flow/watch/retrace.hpp"
#include "server/api/execution_replay.hpp"
#include "storage/transact.hpp"

namespace postrider::api {

namespace {

namespace flow = agent::flow;

// So many of the newest are looked at: a node that is rarely come to is not worth more.
constexpr int most_executions = 5;

base::awaitable<base::result<std::vector<job_id>>> newest_of(
    storage::database& db, std::string flow
) {
    auto read = [flow = std::move(flow)](storage::transaction& tx) {
        server::execution_filter filter;
        filter.flow = flow;
        std::vector<job_id> jobs;
        auto const page = server::list_executions(tx, filter, std::nullopt, most_executions);
        for (auto const& execution : page.executions) jobs.push_back(job_id{execution.job.id});
        return jobs;
    };
    co_return co_await storage::transact(
        db, "executions.newest", std::move(read), database_waits.read
    );
}

// The data, or null when this execution did not come to the node.
base::awaitable<base::result<boost::json::value>> data_of(
    flow::node_services const& nodes, storage::database& db, job_id job, std::string const& node
) {
    auto execution = co_await find_execution(db, job);
    if (!execution) co_return execution.error();
    auto const from = std::move(*execution);
    auto graph = co_await flow::find_chosen(nodes, flow::choice_of(from->record.job.input));
    if (!graph) co_return boost::json::value(nullptr); // another process' to run
    auto const of = std::move(*graph);
    auto const at = of->flow().find(node);
    // A part's names are those of the agent that it hangs on, with what its model gives.
    if (!at || !of->nodes()[*at].type || is_part(*of->nodes()[*at].type))
        co_return boost::json::value(nullptr);
    auto const seen = co_await flow::retrace(*of, from->record, nodes);
    if (!seen) co_return seen.error();
    if (seen->seen.nodes[*at].input.empty()) co_return boost::json::value(nullptr);
    co_return flow::redacted(flow::names_at(*of, seen->seen, from->record.job, nodes, *at));
}

} // namespace

base::awaitable<base::result<boost::json::object>> last_data(
    flow::node_services const& nodes, storage::database& db, std::string flow, std::string node
) {
    auto newest = co_await newest_of(db, std::move(flow));
    if (!newest) co_return newest.error();
    for (auto job : *newest) {
        auto data = co_await data_of(nodes, db, job, node);
        if (!data) co_return data.error();
        if (data->is_object()) co_return std::move(data->get_object());
    }
    co_return base::error(base::errc::not_found);
}

} // namespace postrider::api
