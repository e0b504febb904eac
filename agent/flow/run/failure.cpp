#include "agent/flow/run/failure.hpp"

#include "agent/flow/budgets.hpp"
#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/run/agent_settings.hpp"
#include "agent/flow/run/failure_text.hpp"
#include "agent/flow/run/flow_choice.hpp"
#include "agent/flow/validate/graph.hpp"
#include "agent/language/notices.hpp"
#include "agent/speech/failure_notice.hpp"
#include "base/json/error_data.hpp"
#include "base/log.hpp"
#include "queue/store/later.hpp"
#include "storage/stores/lanes.hpp"
#include "storage/stores/messages.hpp"
#include "storage/stores/questions.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using writes = std::vector<storage::write>;

json::object const* failed_node(queue::outcome const& outcome) {
    auto const* output = outcome.output.if_object();
    auto const* error = output ? output->if_contains("error") : nullptr;
    return error ? error->if_object() : nullptr;
}

json::object error_of(queue::outcome const& outcome) {
    if (auto const* failed = failed_node(outcome)) return *failed;
    json::object error{
        {"node", nullptr},
        {"code", base::to_string(outcome.error.code)},
        {"message", outcome.error.detail}};
    if (auto data = base::data_of(outcome.error); !data.is_null()) error["data"] = std::move(data);
    return error;
}

struct published_flow {
    std::string name;
    std::int64_t version = 0;
    std::shared_ptr<graph const> compiled = nullptr;
};

// What settings.error_flow names, as it is published now; none where that cannot be had.
base::awaitable<std::optional<published_flow>> find_error_flow(
    node_services const& services, execution_input const& input, job_id failed
) {
    auto const flow = co_await find_chosen(services, choice_of(input));
    if (!flow) co_return std::nullopt;
    published_flow error_flow{(*flow)->flow().settings.error_flow};
    if (!error_flow.name.empty()) error_flow.version = services.current_version(error_flow.name);
    if (error_flow.version == 0) co_return std::nullopt;
    auto compiled = co_await services.find_flow(error_flow.name, error_flow.version);
    if (compiled) {
        error_flow.compiled = *compiled;
        co_return error_flow;
    }
    base::log::warn("flow.no_error_flow", {{"job", failed}, {"error", compiled.error()}});
    co_return std::nullopt;
}

// What is said in the chat says a tool of the agent.
base::awaitable<bool> is_silent(node_services const& services, execution_input const& input) {
    auto const flow = co_await find_chosen(services, choice_of(input));
    co_return flow&& speaks_by_tools((*flow)->flow());
}

base::awaitable<bool> failed_on_purpose(
    node_services const& services, execution_input const& input, queue::outcome const& outcome
) {
    auto const* failed = failed_node(outcome);
    if (!failed) co_return false;
    auto const flow = co_await find_chosen(services, choice_of(input));
    if (!flow) co_return false;
    auto const index = (*flow)->flow().find(std::string_view(failed->at("node").as_string()));
    auto const* type = index ? (*flow)->nodes()[*index].type : nullptr;
    auto const* pure_behaviour = type ? std::get_if<pure>(&type->behaviour) : nullptr;
    co_return pure_behaviour && pure_behaviour->fails_on_purpose;
}

// What the person is told of it.
std::string notice_of(queue::outcome const& outcome, std::string_view language) {
    auto const error = error_of(outcome);
    auto const code = base::errc_from_string(std::string_view(error.at("code").as_string()));
    base::error reason(
        code.value_or(outcome.error.code), std::string(error.at("message").as_string())
    );
    if (auto const* data = error.if_contains("data")) base::add_data(reason, *data);
    return is_empty_budget(reason) ? failure_text(reason, language)
                                   : language::notices_in(language).went_wrong;
}

// In a lane beside the execution's: there it would take the place of messages that are answered
// together, and the next message would interrupt it.
writes start_error_flow(
    published_flow const& error_flow,
    execution_input const& failed,
    queue::job const& job,
    queue::outcome const& outcome
) {
    execution_input input;
    input.flow = error_flow.name;
    input.version = error_flow.version;
    input.agent = failed.agent;
    input.after_failure = true;
    input.data = json::object{
        {"error", error_of(outcome)},
        {"execution", json::object{{"id", base::raw(job.id)}, {"flow", failed.flow}}}};
    queue::later_job start;
    start.lane_key = lane_of_failures(job.lane);
    start.while_running = job.id;
    start.kind = std::string(flow_kind);
    start.input = to_json(input);
    start.deadline = error_flow.compiled->flow().settings.timeout;
    return {storage::ensure_lane({.key = start.lane_key}), queue::enqueue_later(start)};
}

} // namespace

base::awaitable<std::vector<storage::write>> rows_of_failure(
    node_services const& services, queue::job const& job, queue::outcome const& outcome
) {
    writes rows;
    auto const input = execution_input_from(job.input);
    bool const failed = outcome.state == queue::job_state::failed;
    if (failed && input && !input->after_failure) {
        auto const error_flow = co_await find_error_flow(services, *input, job.id);
        if (error_flow)
            rows = start_error_flow(*error_flow, *input, job, outcome);
        else if (auto const* heard = input->answered();
                 heard && heard->seen.empty() &&
                 !co_await failed_on_purpose(services, *input, outcome) &&
                 !co_await is_silent(services, *input)) {
            auto const lane = input->chat_lane.value_or(job.lane);
            auto const language = co_await language_in(services.reads, lane, job.id, *heard);
            rows = tell_of_failure(job, heard->from, heard->message, notice_of(outcome, language));
        }
    }
    if (!failed) rows.push_back(storage::drop_unsent(job.id));
    rows.push_back(storage::close_deliveries(job.lane, job.id));
    rows.push_back(storage::withdraw_questions(job.lane, job.id));
    co_return rows;
}

} // namespace postrider::agent::flow
