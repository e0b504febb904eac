#include "server/api/execution_replay.hpp"

#include "agent/flow/watch/events.hpp"
#include "agent/flow/watch/redaction.hpp"
#include "agent/flow/watch/retrace.hpp"
#include "server/api/execution_json.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"

#include <fmt/format.h>

namespace postrider::api {

namespace {

namespace json = boost::json;
namespace flow = agent::flow;
using graph_ptr = std::shared_ptr<flow::graph const>;

struct replay_wish {
    std::optional<std::int64_t> version;
    std::optional<json::value> document;
    json::object pinned;
};

replay_wish read_wish(members& body) {
    replay_wish wish;
    wish.version = body.integer("version", 1, largest_number);
    wish.document = body.json("document");
    if (wish.version && wish.document) body.mistake("version and document are both given");
    auto const pinned = body.json("pinned");
    if (pinned && pinned->is_object())
        wish.pinned = pinned->get_object();
    else if (pinned)
        body.mistake("pinned is not an object");
    return wish;
}

net::http_response invalid_document(std::vector<flow::problem> problems) {
    return refused(flow::refusal(
        "invalid_flow", "the document is not a flow that can run", std::move(problems)
    ));
}

std::variant<graph_ptr, net::http_response> compile(
    json::value const& document, flow::catalog const& types
) {
    auto read = flow::read_definition(document);
    if (auto* problems = std::get_if<std::vector<flow::problem>>(&read))
        return invalid_document(std::move(*problems));
    auto compiled = flow::graph::compile(std::get<flow::definition>(std::move(read)), types);
    if (auto* problems = std::get_if<std::vector<flow::problem>>(&compiled))
        return invalid_document(std::move(*problems));
    return std::get<graph_ptr>(std::move(compiled));
}

json::object answer_of(found_execution const& from, flow::retraced const& seen, json::array nodes) {
    json::object object{
        {"job_id", from.summary.job.id},
        {"flow", from.summary.flow},
        {"state", "unfinished"},
        {"output", nullptr},
        {"error", nullptr},
        {"departures", departures_json(seen)},
        {"nodes", std::move(nodes)}};
    if (!seen.outcome) return object;
    object["state"] = queue::to_string(seen.outcome->state);
    object["output"] = flow::redacted(seen.outcome->output);
    if (seen.outcome->state == queue::job_state::failed)
        object["error"] = flow::to_json(seen.outcome->error);
    return object;
}

} // namespace

base::awaitable<base::result<std::shared_ptr<found_execution>>> find_execution(
    storage::database& db, job_id job
) {
    struct reading {
        std::optional<server::execution_summary> summary;
        std::optional<queue::recording> record;
    };
    auto all = std::make_shared<reading>();
    auto read = [all, job](storage::transaction& tx) {
        all->summary = server::find_execution(tx, job);
        if (all->summary) all->record = queue::read_recording(tx, job);
    };
    std::function<void(storage::transaction&)> kept = std::move(read);
    auto done = co_await db.run("execution.find", std::move(kept), work_deadline);
    if (!done) co_return done.error();
    if (!all->record)
        co_return base::error(
            base::errc::not_found, fmt::format("there is no execution {}", base::raw(job))
        );
    auto found = std::make_shared<found_execution>();
    found->summary = std::move(*all->summary);
    found->record = std::move(*all->record);
    co_return found;
}

net::http_response problem_with(base::error const& why) {
    if (why == base::errc::not_found)
        return net::http_response::problem(404, "not_found", why.detail);
    if (why == base::errc::refused)
        return net::http_response::problem(409, "unknown_flow", why.detail);
    return problem_of(why);
}

base::awaitable<net::http_response> replay_execution(
    execution_services with, net::http_request request, storage::database& db
) {
    parameters query(request);
    members body(request);
    auto const job = path_job(request, query);
    auto const wish = read_wish(body);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) co_return invalid(wrong);
    auto looked = co_await find_execution(db, job);
    if (!looked) co_return problem_with(looked.error());
    auto const from = std::move(*looked);

    graph_ptr of;
    if (wish.document) {
        auto compiled = compile(*wish.document, with.types);
        if (auto* wrong = std::get_if<net::http_response>(&compiled)) co_return std::move(*wrong);
        of = std::get<graph_ptr>(std::move(compiled));
    } else {
        auto const version = wish.version.value_or(from->summary.version.value_or(0));
        auto found = co_await with.nodes.find_flow(from->summary.flow, version);
        if (!found) co_return problem_with(found.error());
        of = std::move(*found);
    }
    auto& input = from->record.job.input;
    if (!wish.pinned.empty() && input.is_object()) input.get_object()["pinned"] = wish.pinned;
    auto const seen = co_await flow::replay(*of, from->record, with.nodes);
    if (!seen) co_return problem_with(seen.error());
    auto nodes = co_await nodes_json(*of, seen->seen, with.nodes.clock);
    co_return json_answer(200, answer_of(*from, *seen, std::move(nodes)));
}

} // namespace postrider::api
