#include "server/api/execution_replay.hpp"

#include "agent/flow/run/flow_choice.hpp"
#include "agent/flow/watch/events.hpp"
#include "agent/flow/watch/redaction.hpp"
#include "agent/flow/watch/retrace.hpp"
#include "server/api/execution_json.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "storage/transact.hpp"

#include <fmt/format.h>

namespace postrider::api {

namespace {

namespace json = boost::json;
namespace flow = agent::flow;
using graph_ptr = std::shared_ptr<flow::graph const>;

// What is asked, read and compiled away from the loop: a document may be large.
struct replay_question {
    std::optional<net::http_response> refused;
    std::optional<std::int64_t> version;
    json::object pinned;
    std::optional<found_execution> from;
    graph_ptr of; // null = the recorded version, or that one
};

std::optional<found_execution> read_execution(storage::transaction& tx, job_id job) {
    auto summary = server::find_execution(tx, job);
    if (!summary) return std::nullopt;
    auto record = queue::read_recording(tx, job);
    if (!record) return std::nullopt;
    return found_execution{std::move(*summary), std::move(*record)};
}

base::error no_execution(job_id job) {
    return {base::errc::not_found, fmt::format("there is no execution {}", base::raw(job))};
}

net::http_response invalid_document(std::vector<flow::problem> problems) {
    return refused(flow::refusal(
        "invalid_flow", "the document is not a flow that can run", std::move(problems)
    ));
}

json::object read_pinned(members& body) {
    auto pinned = body.json("pinned");
    if (pinned && pinned->is_object()) return std::move(pinned->get_object());
    if (pinned) body.mistake("pinned is not an object");
    return {};
}

replay_question read_replay(
    net::http_request const& request, storage::transaction& tx, flow::catalog const& types
) {
    replay_question question;
    parameters query(request);
    members body(request);
    auto const job = path_job(request, query);
    auto const version = read_version_name(body);
    auto document = body.json("document");
    if (version && document) body.mistake("version and document are both given");
    question.pinned = read_pinned(body);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) {
        question.refused = invalid(wrong);
        return question;
    }
    question.from = read_execution(tx, job);
    if (!question.from) {
        question.refused = problem_with(no_execution(job));
        return question;
    }
    bool const has_name = version == "draft" || version == "published";
    if (version && !has_name) question.version = std::stoll(*version);
    if (has_name) {
        auto named = document_for_replay(tx, question.from->summary.flow, *version);
        if (auto* refusal = std::get_if<net::http_response>(&named))
            question.refused = std::move(*refusal);
        else
            document = std::get<json::value>(std::move(named));
    }
    if (document) {
        auto compiled = compile_for_replay(*document, types);
        if (auto* wrong = std::get_if<net::http_response>(&compiled))
            question.refused = std::move(*wrong);
        else
            question.of = std::get<graph_ptr>(std::move(compiled));
    }
    return question;
}

json::object answer_of(
    found_execution const& execution, flow::retraced const& retraced, json::array nodes
) {
    json::object object{
        {"job_id", execution.summary.job.id},
        {"flow", execution.summary.flow},
        {"state", "unfinished"},
        {"output", nullptr},
        {"error", nullptr},
        {"departures", departures_json(retraced)},
        {"nodes", std::move(nodes)}};
    if (!retraced.outcome) return object;
    object["state"] = queue::to_string(retraced.outcome->state);
    object["output"] = flow::redacted(retraced.outcome->output);
    if (retraced.outcome->state == queue::job_state::failed)
        object["error"] = flow::to_json(retraced.outcome->error);
    return object;
}

} // namespace

base::awaitable<base::result<std::shared_ptr<found_execution>>> find_execution(
    storage::database& db, job_id job
) {
    auto read = [job](storage::transaction& tx) { return read_execution(tx, job); };
    auto execution =
        co_await storage::transact(db, "execution.find", std::move(read), database_waits.read);
    if (!execution) co_return execution.error();
    if (!*execution) co_return no_execution(job);
    co_return std::make_shared<found_execution>(std::move(**execution));
}

net::http_response problem_with(base::error const& reason) {
    if (reason == base::errc::not_found)
        return net::http_response::problem(404, "not_found", reason.detail);
    if (reason == base::errc::refused)
        return net::http_response::problem(409, "unknown_flow", reason.detail);
    return problem_of(reason, database_use::read);
}

std::variant<graph_ptr, net::http_response> compile_for_replay(
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

std::variant<json::value, net::http_response> document_for_replay(
    storage::transaction& tx, std::string const& name, std::string const& version
) {
    auto const row = storage::find_flow(tx, name);
    if (!row) return refused(flow::refusal("not_found", "there is no flow " + name));
    auto const text = flow::read_document(tx, *row, version);
    if (!text) return refused(text.error());
    return document_value(*text);
}

base::awaitable<net::http_response> replay_execution(
    execution_services services, net::http_request request, storage::database& db
) {
    auto read = [request = std::move(request), &types = services.types](auto& tx) {
        return read_replay(request, tx, types);
    };
    auto question =
        co_await storage::transact(db, "execution.replay", std::move(read), database_waits.read);
    if (!question) co_return problem_of(question.error(), database_use::read);
    if (question->refused) co_return std::move(*question->refused);

    auto& from = *question->from;
    if (!question->of) {
        auto choice = flow::choice_of(from.record.job.input);
        if (question->version) {
            choice.version = *question->version;
            choice.document = nullptr;
        }
        auto chosen = co_await flow::find_chosen(services.nodes, std::move(choice));
        if (!chosen) co_return problem_with(chosen.error());
        question->of = std::move(*chosen);
    }
    auto& input = from.record.job.input;
    if (!question->pinned.empty() && input.is_object())
        input.get_object()["pinned"] = question->pinned;
    auto const seen = co_await flow::replay(*question->of, from.record, services.nodes);
    if (!seen) co_return problem_with(seen.error());
    auto nodes = co_await nodes_json(*question->of, seen->seen, from.record, services.nodes.clock);
    co_return json_answer(200, answer_of(from, *seen, std::move(nodes)));
}

} // namespace postrider::api
