#include "server/api/execution_trial.hpp"

#include "agent/flow/run/flow_choice.hpp"
#include "agent/flow/watch/redaction.hpp"
#include "agent/flow/watch/trial_plan.hpp"
#include "agent/tools/tool_output.hpp"
#include "base/json/json.hpp"
#include "server/api/execution_replay.hpp"
#include "server/api/idempotency.hpp"
#include "server/api/operation_answer.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/json_values.hpp"
#include "storage/transact.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

namespace postrider::api {

namespace {

namespace json = boost::json;
namespace flow = agent::flow;

constexpr std::size_t longest_prompt = 100'000;    // bytes
constexpr std::size_t longest_shown_text = 16'384; // bytes

net::http_response trial_answer(job_id original, job_id trial) {
    auto const place = "/api/v1/executions/" + base::to_string(trial);
    auto answer =
        json_answer(201, {{"job_id", base::raw(trial)}, {"original", base::raw(original)}});
    answer.headers.add("Location", place);
    return answer;
}

net::http_response problem_of_plan(base::error const& reason) {
    if (reason == base::errc::not_found)
        return net::http_response::problem(409, "no_agent", reason.detail);
    return invalid(std::vector<std::string>{reason.detail});
}

// What an agent did, of one side of a comparison.
json::object side_json(
    queue::recording const& record, std::string_view node, flow::trial const& trial
) {
    auto const& summary = record.details.job;
    json::object side{
        {"job_id", summary.id},
        {"state", summary.state},
        {"model", nullptr},
        {"text", nullptr},
        {"error", server::text_or_null(summary.error)},
        {"calls", json::array{}},
        {"tokens_in", 0},
        {"tokens_out", 0},
        {"tokens_cached", 0},
        {"cost", nullptr}};
    auto const agent = flow::read_agent_record(record.details, node);
    if (!agent) return side;
    side["model"] = server::text_or_null(agent->model);
    side["text"] = agent::cut_to(agent->text, longest_shown_text);
    if (agent->failure) side["error"] = base::to_string(*agent->failure);
    side["tokens_in"] = agent->paid.tokens_in;
    side["tokens_out"] = agent->paid.tokens_out;
    side["tokens_cached"] = agent->paid.tokens_cached;
    side["cost"] = server::cents_or_null(agent->paid.cost_micro);
    auto& calls = side["calls"].get_array();
    for (auto const& call : agent->calls) {
        json::object shown{
            {"tool", call.tool},
            {"arguments", flow::redacted(call.arguments)},
            {"result", nullptr},
            {"error", nullptr},
            {"recorded",
             base::raw(trial.original) != summary.id &&
                 flow::find_call(trial, call.tool, call.arguments) != nullptr}};
        if (auto const output = call.result ? agent::tool_output_from_json(*call.result)
                                            : base::result<agent::tool_output>(call.result.error()))
            shown["result"] = agent::cut_to(output->text, longest_shown_text);
        else
            shown["error"] = base::to_string(output.error());
        calls.push_back(std::move(shown));
    }
    return side;
}

net::http_response read_comparison(storage::transaction& tx, job_id job) {
    auto const trial_record = queue::read_recording(tx, job);
    if (!trial_record)
        return net::http_response::problem(
            404, "not_found", fmt::format("there is no execution {}", base::raw(job))
        );
    auto const input = flow::execution_input_from(trial_record->job.input);
    if (!input || !input->trial)
        return net::http_response::problem(
            404, "no_trial", fmt::format("execution {} is no trial", base::raw(job))
        );
    auto const& trial = *input->trial;
    auto const original = queue::read_recording(tx, trial.original);
    json::object body{
        {"node", trial.node},
        {"original", nullptr},
        {"trial", side_json(*trial_record, trial.node, trial)}};
    if (original) body["original"] = side_json(*original, trial.node, trial);
    return json_answer(200, body);
}

} // namespace

base::awaitable<net::http_response> start_trial(
    execution_services services, net::http_request request, storage::database& db
) {
    if (auto wrong_key = refuse_key(request)) co_return std::move(*wrong_key);
    parameters query(request);
    members body(request);
    auto const job = path_job(request, query);
    flow::trial_request const asked{
        .node = body.text("node").value_or(""),
        .model = body.text("model"),
        .system_prompt = body.text("system_prompt", longest_prompt)};
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) co_return invalid(wrong);
    auto execution = co_await find_execution(db, job);
    if (!execution) co_return problem_with(execution.error());
    auto const& record = (*execution)->record;
    auto const graph =
        co_await flow::find_chosen(services.nodes, flow::choice_of(record.job.input));
    if (!graph) co_return problem_with(graph.error());
    auto const outline = flow::plan_trial((*graph)->flow(), record, asked);
    if (!outline) co_return problem_of_plan(outline.error());
    auto const changed = services.nodes.compile((*execution)->summary.flow, outline->document);
    if (!changed) co_return problem_of_plan({base::errc::invalid, changed.error().detail});

    auto const key = key_of(request, "POST " + request.path, request.body);
    auto start = [job, key, outline = *outline](storage::transaction& tx) {
        auto const first = [&]() -> first_answer {
            auto const result = queue::try_again(tx, job, outline.from_step, outline.input);
            if (!result.done) return {refused(result)};
            return {trial_answer(job, result.job.value()), result.job};
        };
        auto const again = [&](job_id trial) { return trial_answer(job, trial); };
        return start_once(tx, key, first, again);
    };
    auto started =
        co_await storage::transact(db, "execution.try", std::move(start), database_waits.change);
    if (!started) co_return problem_of(started.error(), database_use::change);
    co_return std::move(*started);
}

base::awaitable<net::http_response> compare_trial(
    net::http_request request, storage::database& db
) {
    parameters query(request);
    auto const job = path_job(request, query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) co_return invalid(wrong);
    auto read = [job](storage::transaction& tx) { return read_comparison(tx, job); };
    auto answer =
        co_await storage::transact(db, "execution.compare", std::move(read), database_waits.read);
    if (!answer) co_return problem_of(answer.error(), database_use::read);
    co_return std::move(*answer);
}

} // namespace postrider::api
