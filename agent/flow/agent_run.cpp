// The agent loop: model → (tools → model …) → answer. Its steps: "model" (each round) and "tool:" +
// call id. What it says and hears stands in its memory, committed with the round that made it.
#include "agent/failure_text.hpp"
#include "agent/flow/agent_settings.hpp"
#include "agent/flow/conversation.hpp"
#include "agent/flow/memory.hpp"
#include "agent/flow/nodes/agent.hpp"
#include "agent/flow/services.hpp"
#include "agent/history.hpp"
#include "agent/loop/decide.hpp"
#include "agent/models/reply_json.hpp"
#include "agent/prompt.hpp"
#include "agent/typing.hpp"
#include "base/fault.hpp"
#include "base/log.hpp"

#include <boost/json/serialize.hpp>

#include <array>
#include <set>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;
using base::errc;
using base::retry_policy;

// A person waits for the answer.
constexpr retry_policy asking{
    .limit = 2,
    .delay = 1s,
    .backoff = base::backoff_shape::exponential,
    .timeout = 60s,
    .total = 120s};
constexpr retry_policy using_tool{
    .limit = 2,
    .delay = 1s,
    .backoff = base::backoff_shape::exponential,
    .timeout = 30s,
    .total = 60s};

base::awaitable<queue::step_value> give(queue::step_value value) {
    co_return value;
}

// What a flow ends with, for a model: the text of a lone item that has one, else JSON.
std::string text_of(items const& ended) {
    if (ended.size() == 1) {
        auto const* members = ended.front().json.if_object();
        auto const* text = members ? members->if_contains("text") : nullptr;
        if (text && text->is_string()) return std::string(text->get_string());
        return json::serialize(ended.front().json);
    }
    json::array all;
    for (auto const& one : ended) all.push_back(one.json);
    return json::serialize(all);
}

// One item that the agent is asked about. Lives in the frame of run_agent().
class agent_run {
public:
    agent_run(node_run& run, agent_settings settings, int& said)
        : run_(run),
          steps_(run.steps()),
          settings_(std::move(settings)),
          said_(said) {}

    base::awaitable<base::result<json::value>> go();

private:
    // What a round led to: the answer, or nothing yet.
    using finding = std::optional<std::string>;

    base::result<void> gather_parts();
    base::awaitable<void> recall();
    void keep_question(chat_message const& question);
    base::awaitable<finding> round();
    base::awaitable<queue::step_value> ask();
    base::awaitable<base::result<void>> pass_gates();
    base::awaitable<queue::step_value> call_model(chat_request request);
    finding conclude(std::string text);
    base::awaitable<finding> use_tools(chat_reply reply, run_tools what, bool known);
    base::awaitable<void> use_tool(tool_call call);
    base::awaitable<queue::step_value> run_tool(tool_call call);
    base::awaitable<queue::step_value> run_flow(flow_call const& what, tool_call call);

    chat_request request() const;
    tool_choice choice() const;
    void keep(queue::commit_with& with, chat_message const& message);
    void note_result(tool_call const& call, std::string text, bool is_error);
    void note_metadata();
    json::value output(std::string text) const;

    node_run& run_;
    queue::workflow& steps_;
    agent_settings settings_;
    int& said_; // messages of this node so far

    model_part model_;
    std::shared_ptr<flow::memory> memory_;
    std::shared_ptr<offered_tools const> tools_;

    std::vector<chat_message> asked_; // what was said before, and what is asked
    std::vector<chat_message> own_;   // the rounds so far
    std::vector<tool_result> results_;
    std::set<std::string> tools_used_;
    loop_state state_;
    queue::usage used_;
    std::optional<base::error> failure_; // the model's
    bool answered_ = false;              // all the same
    bool reused_ = false;                // the reply was paid for before the graph began anew
    json::value structured_;             // the answer, where a schema is asked for
};

base::awaitable<base::result<json::value>> agent_run::go() {
    auto gathered = gather_parts();
    if (!gathered) {
        if (!settings_.tells_failures) co_return gathered.error();
        failure_ = gathered.error();
        base::log::warn("turn.model_failed", {{"job", steps_.job().id}, {"error", *failure_}});
        auto const text = conclude(std::string(failure_text(failure_->code)));
        note_metadata();
        co_return output(*text);
    }
    co_await recall();
    finding text;
    while (!text) text = co_await round();
    note_metadata();
    if (failure_ && !answered_) co_return *failure_;
    co_return output(std::move(*text));
}

base::result<void> agent_run::gather_parts() {
    auto model = run_.model();
    if (!model) return model.error();
    auto tools = run_.tools();
    if (!tools) return tools.error();
    model_ = std::move(*model);
    tools_ = std::move(*tools);
    auto memory = run_.memory();
    if (memory)
        memory_ = std::move(*memory);
    else
        base::log::warn("agent.no_memory", {{"job", steps_.job().id}, {"error", memory.error()}});
    return {};
}

// A memory that cannot be read is done without: an answer is better than none.
base::awaitable<void> agent_run::recall() {
    if (memory_) {
        auto earlier = co_await memory_->recall();
        if (earlier) {
            asked_ = std::move(*earlier);
        } else {
            base::log::warn(
                "agent.no_memory", {{"job", steps_.job().id}, {"error", earlier.error()}}
            );
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
    bool const talk = memory_->is_conversation();
    if (talk && run_.started_by().heard) return;
    auto const position = talk ? 0 : run_.position(said_++);
    for (auto& row : memory_->keep(question, position)) steps_.add(std::move(row));
}

// One model call and what it leads to. A step that is found in the record has its rows there too.
base::awaitable<agent_run::finding> agent_run::round() {
    bool const known = steps_.recorded("model");
    auto value = co_await steps_.try_step("model", run_.retry(asking), [this] { return ask(); });
    if (!value) {
        failure_ = value.error();
        base::log::warn("turn.model_failed", {{"job", steps_.job().id}, {"error", *failure_}});
        // What the tools found is an answer, too.
        answered_ = state_.concluding || settings_.tells_failures;
        if (!answered_) co_return std::string{};
        co_return conclude(
            state_.concluding ? list_results(results_) : std::string(failure_text(failure_->code))
        );
    }
    failure_.reset();
    auto reply = reply_from_json(*value).value();
    if (own_.empty()) run_.keep_spare(settings_.prompt, std::move(*value));
    if (!std::exchange(reused_, false)) {
        queue::usage const spent{reply.usage.input, reply.usage.output};
        used_.tokens_in += spent.tokens_in;
        used_.tokens_out += spent.tokens_out;
        run_.spend(spent);
    }

    auto next = decide(state_, {settings_.max_tool_calls, settings_.max_iterations}, reply);
    if (auto tools = std::get_if<run_tools>(&next))
        co_return co_await use_tools(std::move(reply), std::move(*tools), known);
    if (auto said = std::get_if<answer>(&next)) co_return conclude(std::move(said->text));
    co_return conclude(list_results(results_));
}

base::awaitable<queue::step_value> agent_run::ask() {
    if (own_.empty())
        if (auto const* spare = run_.spare(settings_.prompt)) {
            reused_ = true;
            co_return *spare;
        }
    auto admitted = co_await pass_gates();
    if (!admitted) co_return admitted.error();
    base::fault::point("turn.before_model");
    run_.tell("model_called", {{"model", model_.model->name()}});
    auto calling = call_model(request());
    queue::step_value value;
    if (auto const& heard = run_.started_by().heard)
        value = co_await while_typing(run_.services().out, heard->from, std::move(calling));
    else
        value = co_await std::move(calling);
    base::fault::point("turn.after_model");
    co_return value;
}

// Each try of the model. What makes a person wait for longer than a failing model would is not
// waited for.
base::awaitable<base::result<void>> agent_run::pass_gates() {
    std::array<std::string, 2> const gates{model_.breaker, model_.rate};
    for (auto const& gate : gates) {
        auto passed = co_await steps_.admit(gate, asking.total);
        if (passed) continue;
        auto late = passed.error();
        late.retry_after = *asking.total; // beyond the step's own patience: it is not tried again
        co_return late;
    }
    co_return base::result<void>{};
}

base::awaitable<queue::step_value> agent_run::call_model(chat_request request) {
    auto reply = co_await model_.model->chat(std::move(request));
    auto* limits = run_.services().limits;
    if (limits && !model_.breaker.empty()) {
        base::result<void> how;
        if (!reply) how = reply.error();
        limits->report(model_.breaker, how);
    }
    if (!reply) co_return reply.error();
    co_return to_json(*reply);
}

tool_choice agent_run::choice() const {
    if (state_.concluding) return tool_choice::none;
    // Once a tool was called the model is free to answer.
    if (settings_.choice == tool_choice::required && state_.calls > 0)
        return tool_choice::automatic;
    return settings_.choice;
}

chat_request agent_run::request() const {
    chat_request made;
    if (model_.model->capabilities().tools) made.tools = tools_->set.specs();
    made.system = system_prompt(
        settings_.system_prompt + settings_.format_instructions(),
        made.tools,
        run_.services().clock.now()
    );
    made.messages = asked_;
    made.messages.insert(made.messages.end(), own_.begin(), own_.end());
    made.choice = choice();
    made.max_tokens = model_.max_tokens;
    made.temperature = model_.temperature;
    return made;
}

// The answer: with a schema, one that fits, or the model is told what does not. The conversation
// gets it from whoever sends it.
agent_run::finding agent_run::conclude(std::string text) {
    if (!failure_ && settings_.schema) {
        auto fits = settings_.read_answer(text);
        if (fits) {
            structured_ = std::move(*fits);
        } else if (!state_.concluding && state_.rounds + 1 < settings_.max_iterations) {
            ++state_.rounds;
            own_.push_back({.role = role::assistant, .content = std::move(text)});
            own_.push_back({.role = role::user, .content = fits.error().detail});
            return std::nullopt;
        } else {
            failure_ = fits.error();
        }
    }
    if (!memory_) return text;
    chat_message const message{.role = role::assistant, .content = text};
    if (memory_->is_conversation()) {
        auto row = run_.conversation().row_of(message, run_.position(said_++));
        row.id = base::nanoid(run_.services().random);
        run_.give_answer(std::move(row));
    } else {
        queue::commit_with with;
        keep(with, message);
        for (auto& row : with.writes) steps_.add(std::move(row));
    }
    return text;
}

// The calls that may run, one after the other, and the others' refusal. Goes on with a round.
base::awaitable<agent_run::finding> agent_run::use_tools(
    chat_reply reply, run_tools what, bool known
) {
    chat_message message{.role = role::assistant, .content = reply.text, .calls = reply.calls};
    queue::commit_with rows;
    keep(rows, message);
    said_ += static_cast<int>(what.run.size());
    for (auto const& call : what.refused)
        keep(rows, result_of(call, std::string(limit_reached), true));
    auto const behind = said_;
    said_ -= static_cast<int>(what.run.size() + what.refused.size());
    if (!known) co_await run_.commit(std::move(rows));

    ++state_.rounds;
    state_.calls += static_cast<int>(what.run.size());
    state_.concluding = what.concluding;
    message.provider_state = std::move(reply.provider_state);
    own_.push_back(std::move(message));
    for (auto& call : what.run) co_await use_tool(std::move(call));
    for (auto const& call : what.refused) note_result(call, std::string(limit_reached), true);
    said_ = behind;
    co_return std::nullopt;
}

base::awaitable<void> agent_run::use_tool(tool_call call) {
    auto const name = "tool:" + call.id;
    bool const known = steps_.recorded(name);
    tools_used_.insert(call.name);
    run_.tell("tool_called", {{"tool", call.name}, {"call", call.id}});
    queue::step_value value;
    if (auto const flow = tools_->flows.find(call.name); flow != tools_->flows.end()) {
        // In steps of its own, asked for at every run; then what it came to.
        auto const ended = co_await run_flow(flow->second, call);
        value = co_await steps_.try_step(name, {}, [&] { return give(ended); });
    } else {
        value = co_await steps_.try_step(name, using_tool, [&] { return run_tool(call); });
    }
    auto text = value ? std::string(value->as_string()) : std::string{};
    if (!value) {
        auto const& why = value.error();
        text = why.detail.empty() ? std::string(base::to_string(why.code)) : why.detail;
    }
    note_result(call, std::move(text), !value);
    queue::commit_with row;
    keep(row, own_.back());
    if (!known) (void)co_await steps_.commit(std::move(row));
}

base::awaitable<queue::step_value> agent_run::run_tool(tool_call call) {
    tool_context context;
    context.job = steps_.job().id;
    context.call_id = call.id;
    if (auto const& heard = run_.started_by().heard) {
        context.bot = heard->from.bot;
        context.chat = heard->from.chat;
        context.user = heard->user;
    }
    auto result = co_await tools_->set.run(std::move(call), std::move(context));
    if (!result) co_return result.error();
    co_return json::value(*result);
}

base::awaitable<queue::step_value> agent_run::run_flow(flow_call const& what, tool_call call) {
    auto arguments = tools_->set.check(call);
    if (!arguments) co_return arguments.error();
    auto input = what.input(*arguments);
    if (!input) co_return input.error();
    auto ended = co_await run_.call(what.flow, std::move(*input), "tool:" + call.id);
    if (!ended) co_return ended.error();
    co_return json::value(text_of(*ended));
}

// The next message of this node, as its memory keeps it.
void agent_run::keep(queue::commit_with& with, chat_message const& message) {
    auto const position = run_.position(said_++);
    if (!memory_) return;
    for (auto& row : memory_->keep(message, position)) with.writes.push_back(std::move(row));
}

void agent_run::note_result(tool_call const& call, std::string text, bool is_error) {
    results_.push_back({call.name, text, is_error});
    own_.push_back(result_of(call, std::move(text), is_error));
}

void agent_run::note_metadata() {
    run_.note("iterations", state_.rounds + 1);
    run_.note("tool_calls", state_.calls);
    json::array names;
    for (auto const& name : tools_used_) names.emplace_back(name);
    run_.note("tools_used", std::move(names));
    run_.note("tokens_in", used_.tokens_in);
    run_.note("tokens_out", used_.tokens_out);
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

} // namespace

base::awaitable<base::result<outputs>> run_agent(node_run& run) {
    items all;
    int said = 0;
    for (std::size_t i = 0; i < run.input().size(); ++i) {
        auto parameters = run.parameters(i);
        if (!parameters) co_return parameters.error();
        auto settings = agent_settings_from(*parameters);
        if (!settings) co_return settings.error();
        agent_run one(run, std::move(*settings), said);
        auto answer = co_await one.go();
        if (!answer) co_return answer.error();
        all.push_back({std::move(*answer)});
    }
    outputs made;
    made.emplace("main", std::move(all));
    co_return made;
}

} // namespace postrider::agent::flow
