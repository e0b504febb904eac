#include "agent/flow/run/rules_respondent.hpp"

#include "agent/flow/parts/model_step.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/failure_text.hpp"
#include "agent/language/notices.hpp"
#include "agent/models/provider.hpp"
#include "agent/models/reply_json.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

base::time_zone zone_of(std::string const& name) {
    if (auto zone = base::find_time_zone(name)) return *zone;
    return base::find_time_zone("UTC").value();
}

// Empty: the last message is no result.
std::string_view last_called(std::vector<chat_message> const& messages) {
    auto const& id = messages.back().call_id;
    for (auto const& message : messages)
        for (auto const& call : message.calls)
            if (call.id == id) return call.name;
    return {};
}

} // namespace

std::string rules_respondent::explain_failure(base::error const& failure, std::string_view language)
    const {
    auto text = failure_text(failure, language);
    if (tools_->find("calculator") || tools_->find("current_time"))
        text.append(" ").append(language::notices_in(language).meanwhile);
    return text;
}

rules_respondent::rules_respondent(
    node_run& run, std::shared_ptr<offered_tools const> tools, std::string const& zone
)
    : run_(run),
      tools_(std::move(tools)),
      zone_(zone_of(zone)),
      name_(rules_step) {}

base::awaitable<base::result<chat_reply>> rules_respondent::ask(round_question const& round, bool) {
    boost::json::value new_reply;
    if (!recorded()) new_reply = to_json(co_await answer(round));
    auto const recorded_reply = co_await run_.steps().record_value(name_, std::move(new_reply));
    co_return reply_from_json(recorded_reply.value()).value();
}

bool rules_respondent::recorded() const {
    return run_.steps().recorded(name_);
}

// The rules end by themselves.
loop_limits rules_respondent::limits() const {
    return {bounds::tool_calls.most, 2 * bounds::iterations.most};
}

base::awaitable<chat_reply> rules_respondent::answer(round_question const& round) const {
    auto messages = round.transcript.messages();
    static auto const fixed_rules = find_provider("rules")->make_built_in();
    // What the rules of a family say to a message that they do not understand.
    std::optional<chat_reply> fallback;
    auto const* called_tool = tools_->find(last_called(messages));
    for (auto const* family : tools_->families()) {
        auto family_reply =
            family->next_reply({messages, run_.services().clock.now(), zone_, round.language});
        bool const is_own_result = called_tool && called_tool->family == family;
        if (family_reply.understood || is_own_result) co_return std::move(family_reply.reply);
        fallback = std::move(family_reply.reply);
    }
    bool const behind_tools = messages.back().role == role::tool;
    chat_request request;
    request.messages = std::move(messages);
    request.tools = tools_->specs();
    auto fixed_reply = (co_await fixed_rules->chat(std::move(request))).value();
    // Of what nobody understands, a family says what can be asked.
    bool const understood = behind_tools || !fixed_reply.calls.empty();
    if (!understood && fallback) co_return std::move(*fallback);
    // They speak of themselves as of the only model.
    if (!understood && round.failure)
        fixed_reply.text = explain_failure(*round.failure, round.language);
    co_return fixed_reply;
}

} // namespace postrider::agent::flow
