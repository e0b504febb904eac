#include "agent/flow/run/tool_runner.hpp"

#include "agent/flow/parts/mcp_tool.hpp"
#include "agent/flow/parts/query_vectors.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/ask_person.hpp"
#include "agent/flow/run/send_by_tool.hpp"
#include "agent/flow/run/trial_calls.hpp"
#include "agent/speech/typing.hpp"
#include "agent/talk/image.hpp"
#include "agent/tools/call_refusal.hpp"
#include "base/json/text.hpp"
#include "net/base64.hpp"
#include "net/digest.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// What a flow ends with, for a model: the text of a lone item that has one, else JSON.
tool_output output_of(items const& flow_items) {
    if (flow_items.size() == 1) {
        auto const* members = flow_items.front().json.if_object();
        auto const* text = members ? members->if_contains("text") : nullptr;
        if (text && text->is_string()) return std::string(text->get_string());
        return base::json_text(flow_items.front().json);
    }
    json::array values;
    for (auto const& item : flow_items) values.push_back(item.json);
    return base::json_text(values);
}

std::string failure_text_of(base::error const& failure) {
    if (failure == base::errc::ambiguous) return std::string(in_doubt);
    if (failure.detail.empty()) return std::string(base::to_string(failure.code));
    return cut_to(failure.detail, usual_result_limit);
}

// Whatever its tool calls it.
std::vector<shown_image> images_among(std::vector<tool_media> const& media) {
    std::vector<shown_image> images;
    for (auto const& part : media) {
        auto const type = image_type(part.bytes);
        if (type.empty()) continue;
        auto base64 = std::make_shared<std::string const>(net::to_base64(part.bytes));
        images.push_back({std::string(type), std::move(base64)});
    }
    return images;
}

std::string reason_of(base::error const& failure) {
    if (failure == base::errc::ambiguous) return std::string(call_refusal::in_doubt);
    return failure.reason;
}

tool_runner::result result_from(queue::step_value const& value) {
    if (!value)
        return {
            .text = failure_text_of(value.error()),
            .is_error = true,
            .error_reason = reason_of(value.error())};
    auto output = tool_output_from_json(*value);
    if (!output) return {.text = failure_text_of(output.error()), .is_error = true};
    return {
        .text = std::move(output->text),
        .is_reported = output->is_reported,
        .images = images_among(output->media)};
}

// What changes nothing that matters needs no line in the answer.
bool is_reported(offered_tool const& tool, json::object const& arguments) {
    return tool.risk(tool.settings, arguments) == risk::medium;
}

// Whether somebody owns the bot that the execution came by.
std::function<bool(user_id)> owner_test_of(node_run const& run) {
    auto const& heard = run.started_by().heard;
    auto const bot = heard ? heard->from.bot : bot_id{};
    return [&services = run.services(), bot](user_id user) {
        return services.is_owner && services.is_owner(bot, user);
    };
}

base::durations* measures_of(offered_tool const& tool, node_services const& services) {
    auto* measures = services.tool_calls;
    if (!measures) return nullptr;
    return mcp_server_of(tool).empty() ? &measures->own : &measures->of_servers;
}

// A try of a function: what it added is there once it has succeeded.
struct attempt {
    offered_tool const& tool;
    json::object const& arguments;
    tool_context::parts parts;
    base::durations* measures = nullptr;
    std::vector<storage::write> rows = {};

    base::awaitable<queue::step_value> run() {
        rows.clear();
        tool_context context(parts);
        base::stopwatch watch(measures, tool.spec.name, parts.clock);
        auto output = co_await std::get<tool_function>(tool.work)(context, arguments);
        if (!output) watch.failed(output.error().code);
        if (!output) co_return output.error();
        watch.succeeded();
        auto receipts = context.take_receipts();
        std::ranges::move(receipts, std::back_inserter(output->receipts));
        output->is_reported = is_reported(tool, arguments);
        rows = context.take_rows();
        co_return to_json(within(std::move(*output), tool.result_limit));
    }
};

} // namespace

base::awaitable<tool_runner::result> tool_runner::run(
    tool_call call, std::string step, int messages_before, int number
) {
    auto& steps = run_.steps();
    auto const* tool = tools_->find(call.name);
    bool const is_flow = tool && std::holds_alternative<flow_call>(tool->work);
    // A flow whose version stands in the record has run: its steps are asked for at every run. One
    // that was refused has none.
    bool const has_run = is_flow && steps.recorded(version_step(step));
    if (!steps.recorded(step))
        if (auto answer = trial_answer(call))
            co_return result_from(co_await steps.record_value(step, std::move(*answer)));
    auto const call_steps = steps.scope(step);
    bool const was_asked = has_asked(call_steps);
    bool const was_sent = has_sent(call_steps);
    if (steps.recorded(step) && !has_run && !was_asked && !was_sent)
        co_return result_from(co_await steps.record_value(step, json::value{}));
    auto checked = tools_->check(call);
    if (is_flow) {
        flow_call_name call_name{.step = step, .behind = messages_before, .number = number};
        auto const ended = co_await run_flow(checked, std::move(call_name));
        co_return result_from(co_await steps.record_value(step, ended));
    }
    auto const* question = tool ? std::get_if<question_call>(&tool->work) : nullptr;
    if (was_asked || (question && checked)) {
        auto const timeout = question ? question->timeout : question_call{}.timeout;
        co_return co_await run_question(call, step, timeout, messages_before + 1);
    }
    bool const is_message = tool && std::holds_alternative<message_call>(tool->work);
    if (was_sent || (is_message && checked))
        co_return co_await run_message(checked, step, messages_before + 1);
    if (!checked) {
        // Of a call that was begun before its tool had changed nobody knows the end.
        base::error const unknown_outcome(base::errc::ambiguous);
        auto const failure = steps.planned(step) ? unknown_outcome : checked.error();
        co_return result_from(co_await steps.record_value(step, failure));
    }
    auto const value = co_await run_function(std::move(*checked), call, std::move(step));
    co_return result_from(value);
}

std::optional<queue::step_value> tool_runner::trial_answer(tool_call const& call) const {
    auto const& trial = run_.started_by().trial;
    if (!trial) return std::nullopt;
    if (auto const* recorded = find_call(*trial, call.name, call.arguments))
        return outcome_of(*recorded);
    if (may_run_beside_others(call)) return std::nullopt;
    return base::error(base::errc::refused, std::string(not_in_trial), call_refusal::trial);
}

// What was asked stands in the record, so the call's own arguments say it.
base::awaitable<tool_runner::result> tool_runner::run_question(
    tool_call const& call,
    std::string const& step,
    std::chrono::milliseconds timeout,
    int message_index
) {
    auto& steps = run_.steps();
    auto const answer = co_await ask_person(
        run_, steps.scope(step), call.arguments, timeout, places_from(run_, message_index)
    );
    auto question_result = result_from(co_await steps.record_value(step, answer));
    // Or there is nobody to ask.
    if (run_.started_by().answered()) question_result.places = places_of_question;
    co_return question_result;
}

base::awaitable<tool_runner::result> tool_runner::run_message(
    base::result<checked_call> const& checked, std::string const& step, int message_index
) {
    auto& steps = run_.steps();
    auto call_steps = steps.scope(step);
    queue::step_value outcome = base::error(base::errc::ambiguous);
    // What was not sent in an earlier run is not sent in a later one, whatever has changed since.
    bool const was_refused = steps.recorded(step) && !has_sent(call_steps);
    bool const is_message = checked && std::holds_alternative<message_call>(checked->tool->work);
    if (is_message && !was_refused) {
        outcome = co_await send_by_tool(
            run_,
            call_steps,
            *checked->tool,
            checked->arguments,
            run_.position(message_index),
            private_words_
        );
    } else if (!is_message) {
        // Its tool has changed since: what did not go out is not pending at the end.
        call_steps.skip_unasked();
        run_.add_last_row(storage::close_deliveries(steps.job().lane, steps.job().id));
    }
    auto message_result = result_from(co_await steps.record_value(step, outcome));
    message_result.places = has_sent(call_steps) ? 1 : 0;
    co_return message_result;
}

// Flows, questions and messages do, in order.
bool tool_runner::has_own_steps(tool_call const& call) const {
    auto const* tool = tools_->find(call.name);
    return tool && !std::holds_alternative<tool_function>(tool->work);
}

std::string_view tool_runner::node_of(tool_call const& call) const {
    auto const* tool = tools_->find(call.name);
    return tool ? std::string_view(tool->node->id) : std::string_view();
}

// A call that does not fit does nothing.
bool tool_runner::may_run_beside_others(tool_call const& call) const {
    if (has_own_steps(call)) return false;
    auto const checked = tools_->check(call);
    if (!checked) return true;
    auto const& [tool, arguments] = *checked;
    // What an operator lets pass may change something all the same.
    return tool->risk(tool->settings, arguments) == risk::low &&
           tool->own_risk(tool->settings, arguments) == risk::low &&
           tool->effect_class(tool->settings, arguments) == queue::effect_class::pure;
}

bool tool_runner::has_family(tool_call const& call) const {
    auto const* tool = tools_->find(call.name);
    return tool && tool->family;
}

bool tool_runner::is_instant(tool_call const& call) const {
    if (has_own_steps(call)) return false;
    auto const checked = tools_->check(call);
    if (!checked) return true;
    auto const& [tool, arguments] = *checked;
    return tool->risk(tool->settings, arguments) != risk::high && // which is asked about first
           tool->is_instant(tool->settings, arguments);
}

bool tool_runner::has_begun(std::string const& step) const {
    auto const& steps = run_.steps();
    return steps.recorded(step) || steps.planned(step) || steps.recorded(version_step(step)) ||
           has_asked(steps.scope(step)) || has_sent(steps.scope(step));
}

reported_call tool_runner::reported(tool_call const& call) const {
    auto const* arguments = call.arguments.if_object();
    if (!arguments) return {call.name};
    auto const* tool = tools_->find(call.name);
    return {call.name, subjects_of(*arguments, tool ? tool->spec.parameters : json::object())};
}

base::awaitable<tool_runner::result> tool_runner::refuse(
    std::string step, std::string text, std::string_view reason
) {
    base::error refusal(base::errc::refused, std::move(text), reason);
    co_return result_from(co_await run_.steps().record_value(step, std::move(refusal)));
}

base::awaitable<queue::step_value> tool_runner::run_flow(
    base::result<checked_call> const& checked, flow_call_name call_name
) {
    if (!checked) co_return checked.error();
    auto const& tool = *checked->tool;
    auto const& callee = std::get<flow_call>(tool.work);
    // The person's word was for the version that was in force when this run began.
    bool const has_begun = run_.steps().recorded(version_step(call_name.step));
    bool const was_asked = tool.risk(tool.settings, checked->arguments) == risk::high;
    json::value const current = run_.services().current_version(callee.flow);
    if (was_asked && !has_begun && tool.settings.at("version") != current)
        co_return base::error(
            base::errc::refused, "not run: flow " + callee.flow + " was published anew meanwhile"
        );
    auto input = callee.input(checked->arguments, call_name.number);
    if (!input) co_return input.error();
    auto const flow_items =
        co_await run_.call(callee.flow, std::move(*input), std::move(call_name));
    if (!flow_items) co_return flow_items.error();
    auto output = within(output_of(*flow_items), tool.result_limit);
    output.is_reported = is_reported(tool, checked->arguments);
    co_return to_json(output);
}

base::awaitable<queue::step_value> tool_runner::run_function(
    checked_call checked, tool_call const& call, std::string step
) {
    auto& steps = run_.steps();
    auto const& tool = *checked.tool;
    auto const& services = run_.services();
    // What was begun as an effect ends as one, whatever the tool says of itself by now.
    bool const planned = steps.planned(step);
    bool const is_instant = !planned && tool.is_instant(tool.settings, checked.arguments);
    attempt tool_try{
        tool,
        checked.arguments,
        {.requester = requester_of(run_),
         .job = steps.job(),
         .clock = services.clock,
         .settings = tool.settings,
         .key = is_instant ? std::string() : key_of(call, step),
         .web = services.web,
         .configuration = tool.configuration,
         .reads = &services.reads,
         .credentials = services.credentials,
         .out = &services.out,
         .is_owner = owner_test_of(run_),
         .vector_of = vectors_for(run_, step)},
        measures_of(tool, services)};
    auto const tries = tool.node ? tool.node->tries(tool.tries) : tool.tries;
    auto const effect_class = tool.effect_class(tool.settings, checked.arguments);
    // The person sees that something is done, but for a group that is only watched.
    auto const* heard = run_.started_by().answered();
    if (heard && !heard->seen.empty()) heard = nullptr;
    auto work = [&tool_try, &services, heard] {
        return heard ? while_typing(services.out, heard->from, tool_try.run()) : tool_try.run();
    };
    queue::step_value value;
    if (is_instant) {
        value = co_await steps.record_value(step, co_await tool_try.run());
    } else if (effect_class == queue::effect_class::pure && !planned) {
        value = co_await steps.try_step(step, tries, work);
    } else {
        if (!planned) co_await commit_intent(checked, step);
        value = co_await steps.perform(step, tries, work);
    }
    if (value)
        for (auto& row : tool_try.rows) steps.add(std::move(row));
    co_return value;
}

base::awaitable<void> tool_runner::commit_intent(
    checked_call const& checked, std::string const& step
) {
    auto const& tool = *checked.tool;
    queue::effect_intent intent;
    intent.key = step;
    intent.kind = tool.kind;
    intent.effect_class = tool.effect_class(tool.settings, checked.arguments);
    intent.request = json::object{{"tool", tool.spec.name}, {"arguments", checked.arguments}};
    queue::commit_with additions;
    additions.effects.push_back(std::move(intent));
    co_await run_.commit(std::move(additions));
}

// Models number their calls as they like, and ids of jobs begin anew with every database: all of it
// together is another for every call.
std::string tool_runner::key_of(tool_call const& call, std::string const& step) const {
    auto const& steps = run_.steps();
    auto const& job = steps.job();
    return net::sha256_hex(fmt::format(
                               "{}\n{}\n{}{}\n{}\n{}\n{}",
                               base::raw(job.id),
                               job.restarts,
                               steps.prefix(),
                               step,
                               call.id,
                               call.name,
                               base::json_text(call.arguments)
                           ))
        .substr(0, 32);
}

agent::requester requester_of(node_run const& run) {
    agent::requester requester;
    requester.is_silent = run.started_by().silent;
    if (auto const& heard = run.started_by().heard) {
        requester.bot = heard->from.bot;
        requester.chat = heard->from.chat;
        requester.thread = heard->from.thread;
        requester.user = heard->user;
        auto const& timezone_of = run.services().timezone_of;
        if (timezone_of) requester.timezone = timezone_of(requester.bot);
        auto const& is_owner = run.services().is_owner;
        requester.is_owner = is_owner && is_owner(requester.bot, requester.user);
        requester.conversation = conversation_of(heard->from);
    }
    return requester;
}

} // namespace postrider::agent::flow
