#include "agent/flow/budgets.hpp"
#include "agent/flow/nodes/model_question.hpp"
#include "agent/flow/run/model_call.hpp"

#include <algorithm>

namespace postrider::agent::flow {

base::awaitable<base::result<boost::json::value>> ask_models(
    node_run& run,
    std::size_t item,
    boost::json::object agent,
    std::chrono::milliseconds longest_call
) {
    auto settings = agent_settings_from(std::move(agent));
    if (!settings) co_return settings.error();
    settings->speaks_by_tools = true; // nobody is shown that it writes
    settings->knows_message = false;
    auto models = co_await connected_models(run, item);
    if (!models) co_return models.error();
    auto const no_tools = std::make_shared<offered_tools const>();
    agent_transcript transcript;
    transcript.begin({}, {.role = role::user, .content = settings->prompt});
    round_question const question{.transcript = transcript};
    base::error failure;
    for (auto& choice : *models) {
        choice.part.timeout = std::min(choice.part.timeout, longest_call);
        model_call call(run, *settings, item, std::move(choice), no_tools);
        auto const reply = co_await call.ask(question, true);
        if (reply) co_return settings->read_answer(reply->text);
        failure = reply.error();
        if (is_empty_budget(failure)) break; // it is every model's
    }
    co_return failure;
}

} // namespace postrider::agent::flow
