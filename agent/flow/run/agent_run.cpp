#include "agent/flow/run/agent_run.hpp"

#include "agent/failure_text.hpp"
#include "agent/flow/nodes/agent.hpp"
#include "agent/flow/run/conversation.hpp"
#include "agent/flow/services.hpp"
#include "agent/history.hpp"
#include "agent/models/reply_json.hpp"
#include "agent/prompt.hpp"
#include "base/log.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

base::awaitable<base::result<json::value>> agent_run::go() {
    auto gathered = gather_parts();
    if (!gathered) {
        if (!settings_.tells_failures) co_return gathered.error();
        failure_ = gathered.error();
        report_model_failure();
        auto text = std::string(failure_text(failure_->code));
        give(text);
        run_.degrade(*failure_);
        note_metadata();
        co_return output(std::move(text));
    }
    now_ = current_time_note(run_.services().clock.now());
    co_await recall();
    finding text;
    while (!text) text = co_await round();
    note_metadata();
    if (failure_ && !answered_) co_return *failure_;
    if (failure_) run_.degrade(*failure_);
    co_return output(std::move(*text));
}

base::result<void> agent_run::gather_parts() {
    auto model = run_.model(so_far_.item);
    if (!model) return model.error();
    auto tools = run_.tools(so_far_.item);
    if (!tools) return tools.error();
    model_ = std::move(*model);
    tools_ = std::move(*tools);
    auto memory = run_.memory(so_far_.item);
    if (memory)
        memory_ = std::move(*memory);
    else
        report_no_memory(memory.error());
    return {};
}

// Who only looks on at what happened logs nothing.
void agent_run::report_no_memory(base::error const& why) const {
    if (steps_.looks_on()) return;
    base::log::warn("agent.no_memory", {{"job", steps_.job().id}, {"error", why}});
}

void agent_run::report_model_failure() const {
    if (steps_.looks_on()) return;
    base::log::warn("turn.model_failed", {{"job", steps_.job().id}, {"error", *failure_}});
}

// A memory that cannot be read is done without: an answer is better than none.
base::awaitable<void> agent_run::recall() {
    if (memory_) {
        auto earlier = co_await memory_->recall();
        if (earlier) {
            asked_ = std::move(*earlier);
        } else {
            report_no_memory(earlier.error());
            run_.note("memory_error", json::value(base::to_string(earlier.error().code)));
            memory_.reset();
        }
    }
    chat_message question{.role = role::user, .content = settings_.prompt};
    keep_question(question);
    asked_.push_back(std::move(question));
}

// A person's message stands in the conversation already.
void agent_run::keep_question(chat_message const& question) {
    if (!memory_) return;
    if (memory_->is_conversation() && run_.started_by().answers_a_message()) return;
    auto const position = run_.position(so_far_.said++);
    for (auto& row : memory_->keep(question, position)) steps_.add(std::move(row));
}

// One model call and what it leads to. A step that is found in the record has its rows there too.
base::awaitable<agent_run::finding> agent_run::round() {
    bool const known = steps_.recorded("model");
    auto const policy = run_.retry(asking(model_.timeout));
    // The request gives up before its step does.
    auto const timeout =
        std::max(policy.timeout - bounds::model_step_margin, policy.timeout * 9 / 10);
    auto value =
        co_await steps_.try_step("model", policy, [this, timeout] { return ask(timeout); });
    if (!value) {
        failure_ = value.error();
        if (!known) report_model_failure();
        // What the tools found is an answer, too.
        answered_ = state_.concluding || settings_.tells_failures;
        if (!answered_) co_return std::string{};
        auto text =
            state_.concluding ? list_results(results_) : std::string(failure_text(failure_->code));
        give(text);
        co_return text;
    }
    failure_.reset();
    auto reply = reply_from_json(*value).value();
    if (own_.empty()) run_.keep_spare(question(), std::move(*value));
    if (!std::exchange(reused_, false)) {
        queue::usage const spent{
            reply.usage.input,
            reply.usage.output,
            reply.usage.cached,
            cost_micro(reply.usage, model_.prices)};
        used_ += spent;
    }

    auto next = decide(state_, {settings_.max_tool_calls, settings_.max_iterations}, reply);
    if (auto tools = std::get_if<run_tools>(&next))
        co_return co_await use_tools(std::move(reply), std::move(*tools), known);
    if (auto said = std::get_if<answer>(&next)) co_return conclude(std::move(*said));
    co_return conclude({list_results(results_)});
}

// The answer: with a schema, one that fits, or the model is told what does not.
agent_run::finding agent_run::conclude(answer said) {
    if (settings_.schema) {
        auto fits = settings_.read_answer(said.text);
        if (!fits) return mend(std::move(said.text), fits.error().detail);
        structured_ = std::move(*fits);
    } else if (said.cut) {
        said.text += cut_note;
    }
    give(said.text);
    return std::move(said.text);
}

// What is said to the model stays between it and us.
agent_run::finding agent_run::mend(std::string text, std::string instructions) {
    if (state_.concluding || state_.rounds + 1 >= settings_.max_iterations) {
        failure_ = base::error(
            base::errc::invalid, "the model's answer does not fit the schema that it was given"
        );
        return text; // nobody gets it: it is no part of the conversation
    }
    ++state_.rounds;
    if (!text.empty()) own_.push_back({.role = role::assistant, .content = std::move(text)});
    own_.push_back({.role = role::user, .content = std::move(instructions)});
    return std::nullopt;
}

// The conversation gets the answer from whoever sends it.
void agent_run::give(std::string const& text) {
    if (!memory_) return;
    chat_message const message{.role = role::assistant, .content = text};
    if (memory_->is_conversation()) {
        auto row = run_.conversation().row_of(message, run_.position(so_far_.said++));
        row.id = base::nanoid(run_.services().random);
        run_.give_answer(std::move(row));
    } else {
        queue::commit_with with;
        keep(with, message);
        for (auto& row : with.writes) steps_.add(std::move(row));
    }
}

// The next message of this node, as its memory keeps it.
void agent_run::keep(queue::commit_with& with, chat_message const& message) {
    auto const position = run_.position(so_far_.said++);
    if (!memory_) return;
    for (auto& row : memory_->keep(message, position)) with.writes.push_back(std::move(row));
}

void agent_run::note_metadata() {
    run_.note("iterations", state_.rounds + 1);
    run_.note("tool_calls", state_.calls);
    json::array names;
    for (auto const& name : tools_used_) names.emplace_back(name);
    run_.note("tools_used", std::move(names));
    run_.note("tokens_in", used_.tokens_in);
    run_.note("tokens_out", used_.tokens_out);
    if (used_.tokens_cached > 0) run_.note("tokens_cached", used_.tokens_cached);
    if (used_.cost_micro > 0) run_.note("cost", static_cast<double>(used_.cost_micro) / 1e6);
    if (failure_) run_.note("error_class", json::value(base::to_string(failure_->code)));
}

json::value agent_run::output(std::string text) const {
    json::object made{
        {"text", std::move(text)},
        {"iterations", state_.rounds + 1},
        {"tool_calls", state_.calls},
    };
    if (!structured_.is_null()) made["output"] = structured_;
    if (failure_)
        made["error"] =
            json::object{{"code", base::to_string(failure_->code)}, {"message", failure_->detail}};
    return made;
}

base::awaitable<base::result<outputs>> run_agent(node_run& run) {
    items all;
    agent_progress so_far;
    for (std::size_t i = 0; i < run.input().size(); ++i) {
        so_far.item = i;
        auto parameters = co_await run.parameters(i);
        if (!parameters) co_return parameters.error();
        auto settings = agent_settings_from(std::move(*parameters));
        if (!settings) co_return settings.error();
        agent_run one(run, std::move(*settings), so_far);
        auto answer = co_await one.go();
        if (!answer) co_return answer.error();
        all.push_back({std::move(*answer)});
    }
    outputs made;
    made.emplace("main", std::move(all));
    co_return made;
}

} // namespace postrider::agent::flow
