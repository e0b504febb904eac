#include "agent/moderation/act.hpp"

namespace postrider::agent {

namespace json = boost::json;

namespace {

json::object request_of(address const& group, moderation const& act) {
    auto request = place_json(group);
    for (auto const& member : to_json(act)) request.insert(member);
    return request;
}

} // namespace

queue::effect_intent intent_of(address const& group, planned_act const& planned) {
    queue::effect_intent intent;
    intent.key = planned.name;
    intent.kind = std::string(moderation_effect);
    intent.effect_class = queue::effect_class::idempotent;
    intent.request = request_of(group, planned.act);
    return intent;
}

base::awaitable<queue::step_value> moderate_group(
    messenger& out, address group, moderation act, json::object result
) {
    // A supergroup numbers its messages anew: this number is another message there.
    bool const is_of_another_time =
        std::holds_alternative<remove_messages>(act) && !(out.current(group) == group);
    if (is_of_another_time)
        co_return base::error(
            base::errc::refused, "the message is from before the group became a supergroup"
        );
    auto const done = co_await out.moderate(group, std::move(act));
    if (!done) co_return done.error();
    co_return json::value(std::move(result));
}

base::awaitable<queue::step_value> perform(
    queue::workflow steps,
    messenger& out,
    address group,
    planned_act planned,
    base::retry_policy tries
) {
    if (!steps.recorded(planned.name)) leave_to_a_node_serving(out, group);
    auto work = [&] {
        return moderate_group(out, group, planned.act, request_of(group, planned.act));
    };
    co_return co_await steps.perform(planned.name, tries, work);
}

} // namespace postrider::agent
