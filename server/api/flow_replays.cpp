#include "server/api/flow_replays.hpp"

#include "agent/flow/run/flow_choice.hpp"
#include "agent/flow/watch/replay_difference.hpp"
#include "server/api/execution_replay.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/json_values.hpp"
#include "storage/transact.hpp"

#include <map>

namespace postrider::api {

namespace {

namespace json = boost::json;
namespace flow = agent::flow;

constexpr std::int64_t usual_replays = 10;
constexpr std::int64_t most_replays = 20;
constexpr int most_listed = 200; // to find so many that were no trials

struct last_executions {
    std::optional<net::http_response> refused = {};
    std::string name = {}; // of the flow
    std::string version = {};
    std::shared_ptr<flow::graph const> of = {};
    std::vector<server::execution_summary> executions = {}; // newest first
};

std::vector<server::execution_summary> find_last_executions(
    storage::transaction& tx, std::string const& name, std::size_t count
) {
    server::execution_filter filter;
    filter.flow = name;
    filter.states = {queue::job_state::completed, queue::job_state::failed};
    auto page = server::list_executions(tx, filter, std::nullopt, most_listed);
    std::erase_if(page.executions, [](auto const& execution) { return execution.trial; });
    if (page.executions.size() > count) page.executions.resize(count);
    return std::move(page.executions);
}

last_executions read_last_executions(
    net::http_request const& request, storage::transaction& tx, flow::catalog const& types
) {
    last_executions last;
    parameters query(request);
    members body(request);
    last.name = path_text(request, "name", query);
    last.version = read_version_name(body).value_or("draft");
    auto const count = body.integer("last", 1, most_replays).value_or(usual_replays);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) {
        last.refused = invalid(wrong);
        return last;
    }
    auto document = document_for_replay(tx, last.name, last.version);
    if (auto* refusal = std::get_if<net::http_response>(&document)) {
        last.refused = std::move(*refusal);
        return last;
    }
    auto compiled = compile_for_replay(std::get<json::value>(document), types);
    if (auto* refusal = std::get_if<net::http_response>(&compiled)) {
        last.refused = std::move(*refusal);
        return last;
    }
    last.of = std::get<std::shared_ptr<flow::graph const>>(std::move(compiled));
    last.executions = find_last_executions(tx, last.name, static_cast<std::size_t>(count));
    return last;
}

json::object replay_json(server::execution_summary const& execution) {
    return {
        {"job_id", execution.job.id},
        {"created_at", execution.job.created_at},
        {"version", server::or_null(execution.version)},
        {"state", execution.job.state},
        {"result", "same"},
        {"node", nullptr},
        {"reason", nullptr},
        {"detail", nullptr}};
}

json::object unreadable(json::object replay, base::error const& reason) {
    replay["result"] = "failed";
    replay["reason"] = "unreadable";
    replay["detail"] = reason.detail;
    return replay;
}

json::object different(json::object replay, flow::replay_difference const& difference) {
    replay["result"] = difference.fails ? "failed" : "changed";
    if (difference.node)
        replay["node"] = {{"id", difference.node->id}, {"name", difference.node->name}};
    replay["reason"] = flow::to_string(difference.reason);
    replay["detail"] = difference.detail;
    return replay;
}

// By the version that it ran, and by the other one.
base::awaitable<json::object> replay_one(
    execution_services services,
    storage::database& db,
    flow::graph const& draft,
    server::execution_summary const& execution
) {
    auto replay = replay_json(execution);
    auto const stored = co_await find_execution(db, job_id{execution.job.id});
    if (!stored) co_return unreadable(std::move(replay), stored.error());
    auto const& record = (*stored)->record;
    auto const former =
        co_await flow::find_chosen(services.nodes, flow::choice_of(record.job.input));
    if (!former) co_return unreadable(std::move(replay), former.error());
    auto const then = co_await flow::retrace(**former, record, services.nodes);
    if (!then) co_return unreadable(std::move(replay), then.error());
    auto const now = co_await flow::replay(draft, record, services.nodes);
    if (!now) co_return unreadable(std::move(replay), now.error());
    flow::replayed_graph const as_recorded{**former, *then};
    flow::replayed_graph const as_drafted{draft, *now};
    if (auto const difference = flow::first_difference(as_recorded, as_drafted))
        co_return different(std::move(replay), *difference);
    co_return replay;
}

} // namespace

base::awaitable<net::http_response> replay_last_executions(
    execution_services services, net::http_request request, storage::database& db
) {
    auto read = [request = std::move(request), &types = services.types](auto& tx) {
        return read_last_executions(request, tx, types);
    };
    auto last =
        co_await storage::transact(db, "flow.replays", std::move(read), database_waits.read);
    if (!last) co_return problem_of(last.error(), database_use::read);
    if (last->refused) co_return std::move(*last->refused);
    json::object body{{"flow", last->name}, {"version", last->version}};
    std::map<std::string, std::int64_t> counts{{"same", 0}, {"changed", 0}, {"failed", 0}};
    json::array replays;
    for (auto const& execution : last->executions) {
        auto replay = co_await replay_one(services, db, *last->of, execution);
        ++counts[std::string(replay.at("result").as_string())];
        replays.push_back(std::move(replay));
    }
    for (auto const& [result, count] : counts) body[result] = count;
    body["replays"] = std::move(replays);
    co_return json_answer(200, body);
}

} // namespace postrider::api
