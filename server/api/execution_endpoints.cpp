#include "agent/flow/run/flow_choice.hpp"
#include "agent/flow/watch/redaction.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/execution_json.hpp"
#include "server/api/execution_replay.hpp"
#include "server/api/execution_trial.hpp"
#include "server/api/execution_watch.hpp"
#include "server/api/execution_watchers.hpp"
#include "server/api/flow_replays.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"

namespace postrider::api {

namespace {

namespace json = boost::json;
namespace flow = agent::flow;

planned list_executions(net::http_request const& request) {
    parameters query(request);
    server::execution_filter filter;
    filter.flow = query.text("flow").value_or("");
    filter.version = query.integer("version", 1, largest_number);
    read_states(query, filter);
    filter.kind = query.text("kind").value_or("");
    filter.error_class = query.text("error_class").value_or("");
    filter.created_after = query.time("after");
    filter.created_before = query.time("before");
    auto const before = read_id_cursor<job_id>(query);
    auto const limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([filter, before, limit](storage::transaction& tx) {
        auto const page = server::list_executions(tx, filter, before, limit);
        json::array executions;
        for (auto const& execution : page.executions) executions.push_back(to_json(execution));
        json::object body{{"executions", std::move(executions)}};
        if (page.continues) body["next"] = base::to_string(*page.continues);
        return json_answer(200, body);
    });
}

constexpr std::size_t trial_limit = 256u << 10; // bytes: a prompt, escaped

// The flow may be one that this process cannot compile: the rest is shown nevertheless.
base::awaitable<net::http_response> show_execution(
    execution_services services, net::http_request request, storage::database& db
) {
    parameters query(request);
    auto const job = path_job(request, query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) co_return invalid(wrong);
    auto looked = co_await find_execution(db, job);
    if (!looked) co_return problem_with(looked.error());
    auto const kept = std::move(*looked);
    auto const& record = kept->record;

    auto body = to_json(kept->summary);
    body["input"] = flow::redacted(record.details.input);
    body["output"] = flow::redacted(record.details.output);
    body["totals"] = totals_json(record);
    body["nodes"] = nullptr;
    body["connections"] = nullptr;
    auto graph = co_await flow::find_chosen(services.nodes, flow::choice_of(record.job.input));
    if (!graph) {
        body["unknown_flow"] = graph.error().detail;
        co_return json_answer(200, body);
    }
    auto const of = std::move(*graph);
    auto const seen = co_await flow::retrace(*of, record, services.nodes);
    if (!seen) co_return problem_with(seen.error());
    auto nodes = co_await nodes_json(*of, seen->seen, record, services.nodes.clock);
    body["nodes"] = std::move(nodes);
    body["connections"] = connections_json(*of, seen->seen);
    co_return json_answer(200, body);
}

base::awaitable<void> stream_execution(
    std::shared_ptr<execution_watch> watch, std::shared_ptr<void>, net::body_writer& writer
) {
    whole_stream stream(writer);
    co_await watch->tell(stream);
}

base::awaitable<net::http_response> watch_execution(
    execution_services with,
    std::shared_ptr<execution_watchers> watchers,
    net::http_request request,
    storage::database& db
) {
    parameters query(request);
    auto const job = path_job(request, query);
    auto after = query.text("cursor").value_or("");
    if (auto const last = request.headers.find("Last-Event-ID"); !last.empty()) after = last;
    auto const position =
        after.empty() ? std::optional(event_position{}) : event_position_from(after);
    if (!position) query.mistake("Last-Event-ID is not one that an event had");
    if (auto const wrong = query.mistakes(); !wrong.empty()) co_return invalid(wrong);
    auto const place = watchers->places.take();
    if (!place) co_return watch_places::all_taken();
    auto& looks = watchers->looks_at(db, with.nodes);
    watch_services const services{looks, with.nodes.clock, with.live};
    auto watch = std::make_shared<execution_watch>(services, job, *position);
    auto looked = co_await watch->look();
    if (!looked) co_return problem_with(looked.error());
    // A client that has heard the end would come again for ever.
    if (watch->told_all()) co_return net::http_response::empty(204);
    co_return net::sse_response([watch, place](net::body_writer& writer) {
        return stream_execution(watch, place, writer);
    });
}

} // namespace

std::vector<endpoint> execution_endpoints(resources const& resources) {
    if (!resources.executions) return {};
    auto const with = *resources.executions;
    auto const watchers = resources.watchers_of_executions ? resources.watchers_of_executions
                                                           : std::make_shared<execution_watchers>();
    std::vector<endpoint> endpoints{
        {"GET", "/api/v1/executions", in_a_transaction(list_executions)},
        {"GET",
         "/api/v1/executions/{id}",
         [with](call incoming) {
             return show_execution(with, std::move(incoming.request), incoming.db);
         }},
        {"GET",
         "/api/v1/executions/{id}/events",
         [with, watchers](call incoming) {
             return watch_execution(with, watchers, std::move(incoming.request), incoming.db);
         },
         64u << 10,
         audience::operators,
         {},
         database_use::watch},
        {"POST",
         "/api/v1/executions/{id}/replay",
         [with](call incoming) {
             return replay_execution(with, std::move(incoming.request), incoming.db);
         },
         document_limit,
         audience::editors},
        {"POST",
         "/api/v1/flows/{name}/replays",
         [with](call incoming) {
             return replay_last_executions(with, std::move(incoming.request), incoming.db);
         },
         64u << 10,
         audience::editors},
        {"POST",
         "/api/v1/executions/{id}/trials",
         [with](call incoming) {
             return start_trial(with, std::move(incoming.request), incoming.db);
         },
         trial_limit,
         audience::editors},
        {"GET",
         "/api/v1/executions/{id}/comparison",
         [](call incoming) { return compare_trial(std::move(incoming.request), incoming.db); }},
    };
    return endpoints;
}

} // namespace postrider::api
