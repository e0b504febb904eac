#include "agent/moderation/act.hpp"

#include "agent/moderation/administrator.hpp"
#include "agent/spam/store/undo.hpp"
#include "base/json/json.hpp"

namespace postrider::agent {

namespace json = boost::json;

namespace {

constexpr std::chrono::seconds undo_deadline{5};

// Whom a ban or a restriction is against, as the filter knows them.
std::optional<user_id> author_against(moderation const& act) {
    if (auto const* ban = std::get_if<ban_member>(&act)) return ban->user;
    if (auto const* ban = std::get_if<ban_sender_chat>(&act)) return user_id{base::raw(ban->chat)};
    auto const* restriction = std::get_if<restrict_member>(&act);
    if (!restriction || restriction->may_send) return std::nullopt;
    return restriction->user;
}

// A press that waits in the same lane counts, too, if its presser may ban: it would be carried out right behind the act.
base::awaitable<base::result<bool>> was_let_in(
    messenger& out, storage::batcher& reads, address group, spam::planned_act_on_member planned
) {
    auto const state = co_await spam::look_for_undo(reads, std::move(planned), undo_deadline);
    if (!state) co_return state.error();
    if (state->is_undone) co_return true;
    for (auto const& undo : state->waiting) {
        if (undo.is_owner) co_return true;
        auto const member = co_await out.get_member(group, undo.presser);
        if (!member && member.error() != base::errc::not_found) co_return member.error();
        if (member && authority_of(*member) == authority::moderator) co_return true;
    }
    co_return false;
}

base::awaitable<queue::step_value> moderate_unless_undone(
    messenger& out,
    storage::batcher& reads,
    address group,
    moderation act,
    spam::planned_act_on_member planned,
    json::object result
) {
    auto const undone = co_await was_let_in(out, reads, group, std::move(planned));
    if (!undone) co_return undone.error();
    if (!*undone) co_return co_await moderate_group(out, group, std::move(act), std::move(result));
    result["withheld"] = true;
    co_return json::value(std::move(result));
}

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

bool is_withheld(queue::step_value const& result) {
    return result && base::json_reader{*result}["withheld"].boolean_or(false);
}

base::awaitable<queue::step_value> perform(
    queue::workflow steps,
    messenger& out,
    storage::batcher& reads,
    address group,
    planned_act planned,
    base::retry_policy tries
) {
    if (!steps.recorded(planned.name)) leave_to_a_node_serving(out, group);
    auto const request = request_of(group, planned.act);
    auto const author = author_against(planned.act);
    if (!author) {
        auto work = [&] { return moderate_group(out, group, planned.act, request); };
        co_return co_await steps.perform(planned.name, tries, work);
    }
    // Before each try: one may wait for long.
    spam::planned_act_on_member const pending{
        steps.job().id, steps.job().lane, planned.name, group.chat, *author};
    auto work = [&] {
        return moderate_unless_undone(out, reads, group, planned.act, pending, request);
    };
    co_return co_await steps.perform(planned.name, tries, work);
}

} // namespace postrider::agent
