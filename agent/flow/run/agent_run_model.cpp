// The agent's model call: its gates, its request, its tries.
#include "agent/flow/run/agent_run.hpp"
#include "agent/flow/services.hpp"
#include "agent/flow/watch/events.hpp"
#include "agent/models/reply_json.hpp"
#include "agent/prompt.hpp"
#include "agent/typing.hpp"
#include "base/fault.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <array>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// What a person waits for an answer at least, if the model's calls take no longer.
constexpr std::chrono::milliseconds patience = std::chrono::minutes{2};

// In pieces so small that nothing of them is left out.
void tell_words(node_run& run, std::string_view text) {
    constexpr std::size_t most = 1000;
    while (!text.empty()) {
        auto const piece = base::cut_at_character(text, most);
        run.tell(model_chunk, {{"text", piece}});
        text.remove_prefix(piece.size());
    }
}

} // namespace

base::retry_policy asking(std::chrono::milliseconds call_timeout) noexcept {
    using namespace std::chrono_literals;
    return {
        .limit = 2,
        .delay = 1s,
        .backoff = base::backoff_shape::exponential,
        .timeout = call_timeout + bounds::model_step_margin,
        .total = std::max<std::chrono::milliseconds>(patience, 2 * call_timeout)};
}

base::awaitable<queue::step_value> agent_run::ask(std::chrono::milliseconds timeout) {
    if (own_.empty())
        if (auto const* spare = run_.spare(question())) {
            reused_ = true;
            co_return *spare;
        }
    auto admitted = co_await pass_gates();
    if (!admitted) co_return admitted.error();
    base::fault::point("turn.before_model");
    run_.tell("model_called", {{"model", model_.model->name()}});
    auto calling = call_model(request(timeout));
    queue::step_value value;
    if (auto const* heard = run_.started_by().answered())
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
        auto passed = co_await steps_.admit(gate, patience);
        if (passed) continue;
        auto late = passed.error();
        // Beyond the usual patience: it is tried again only where the node says so itself.
        late.retry_after = patience;
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
    auto const& tokens = reply->usage;
    steps_.spend(
        "model", {tokens.input, tokens.output, tokens.cached, cost_micro(tokens, model_.prices)}
    );
    co_return to_json(*reply);
}

tool_choice agent_run::choice() const {
    if (state_.concluding) return tool_choice::none;
    // Once a tool was called the model is free to answer.
    if (settings_.choice == tool_choice::required && state_.calls > 0)
        return tool_choice::automatic;
    return settings_.choice;
}

std::string agent_run::question() const {
    return fmt::format("{}\n{}\n\n{}", so_far_.item, settings_.system_prompt, settings_.prompt);
}

chat_request agent_run::request(std::chrono::milliseconds timeout) const {
    chat_request made;
    if (model_.model->capabilities().tools) made.tools = tools_->specs();
    made.system =
        system_prompt(settings_.system_prompt + settings_.format_instructions(), made.tools);
    made.messages = asked_;
    made.messages.insert(made.messages.end(), own_.begin(), own_.end());
    made.trailing_context = now_;
    made.choice = choice();
    made.max_tokens = model_.max_tokens;
    made.temperature = model_.temperature;
    if (settings_.schema) made.answer_schema = settings_.schema_text;
    made.timeout = timeout;
    if (run_.looked_on()) made.hear = [this](std::string_view text) { tell_words(run_, text); };
    return made;
}

} // namespace postrider::agent::flow
