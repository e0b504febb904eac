// How a model_call asks its model.
#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/run/model_call.hpp"
#include "agent/flow/run/stoppable_call.hpp"
#include "agent/language/notices.hpp"
#include "agent/loop/shrink.hpp"
#include "base/log.hpp"
#include "storage/stores/refused_tools.hpp"

namespace postrider::agent::flow {

// Only what people see growing can be stopped by them.
base::awaitable<base::result<chat_reply>> model_call::ask_until_stopped(
    chat_request request, round_question const& round
) {
    auto* stop = request.hear ? run_.stop() : nullptr;
    if (!stop) co_return co_await ask_shorter(std::move(request), round);
    std::string streamed;
    request.hear = remembering(std::move(request.hear), streamed);
    auto const input = estimate(request).tokens;
    auto reply = co_await call_unless_stopped(ask_shorter(std::move(request), round), *stop);
    if (reply) co_return std::move(*reply);
    base::log::info("turn.stopped", {{"job", run_.steps().job().id}});
    auto const language = co_await run_.conversation().language();
    auto stopped =
        stopped_reply(std::move(streamed), language::notices_in(language).answer_stopped, input);
    stopped.model = name();
    co_return stopped;
}

// A model that finds the request too long is asked once more, with half of the history.
base::awaitable<base::result<chat_reply>> model_call::ask_shorter(
    chat_request request, round_question const& round
) {
    auto question = round.transcript.question_place();
    if (is_too_long_) (void)shrink(request.messages, question);
    auto shorter = request;
    auto reply = co_await model_.model->chat(std::move(request));
    if (reply || reply.error() != base::errc::context_too_long || is_too_long_) co_return reply;
    if (!shrink(shorter.messages, question)) co_return reply;
    is_too_long_ = true;
    base::log::warn(
        "turn.history_shortened",
        {{"job", run_.steps().job().id},
         {"model", model_.model->name()},
         {"messages", shorter.messages.size()}}
    );
    co_return co_await model_.model->chat(std::move(shorter));
}

// `postrider mcp tools` tells of them.
void model_call::note_refused_tools(chat_reply const& reply) {
    for (auto const& [tool, reason] : reply.refused_tools)
        run_.steps().add(storage::note_refused_tool(model_.model->name(), tool, reason));
}

// An agent with tools whose model takes none answers from what it knows.
bool model_call::leaves_out_tools() {
    auto const count = tools_->specs().size();
    if (count == 0 || model_.model->capabilities().tools) return false;
    run_.note("tools_left_out", static_cast<std::int64_t>(count));
    base::log::warn(
        "turn.tools_left_out",
        {{"job", run_.steps().job().id}, {"model", model_.model->name()}, {"tools", count}}
    );
    return true;
}

} // namespace postrider::agent::flow
