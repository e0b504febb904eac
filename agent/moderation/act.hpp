#pragma once
// An act of moderation as an effect: its intent is committed before Telegram hears of it, so none is lost, and doing one
// again does no harm. A ban or a restriction that a person has undone while it waits is not done any more.
#include "agent/speech/speech.hpp"
#include "agent/talk/moderation.hpp"
#include "queue/workflow.hpp"
#include "storage/batcher.hpp"

#include <string>
#include <string_view>

namespace postrider::agent {

inline constexpr std::string_view moderation_effect = "telegram.moderate";

// A group is told to wait for minutes at most; each try honours the pause that Telegram asks for.
inline constexpr base::retry_policy moderation_tries{
    .limit = 6,
    .delay = std::chrono::seconds{1},
    .backoff = base::backoff_shape::exponential,
    .timeout = acting_timeout,
    .total = std::chrono::hours{1}};

struct planned_act {
    std::string name; // of its effect
    moderation act;
};

// To be committed before perform().
queue::effect_intent intent_of(address const& group, planned_act const& planned);

// Errors as of messenger::moderate(), and of storage::query(). Throws queue::not_here where this node has no such bot.
base::awaitable<queue::step_value> perform(
    queue::workflow steps,
    messenger& out,
    storage::batcher& reads,
    address group,
    planned_act planned,
    base::retry_policy tries = moderation_tries
);

// Of a result of perform(): a person had undone it, and Telegram heard nothing of it.
bool is_withheld(queue::step_value const& result);

// The work of such an effect; it ends with `result`. Refused where a message is from before its group became a supergroup.
base::awaitable<queue::step_value> moderate_group(
    messenger& out, address group, moderation act, boost::json::object result
);

} // namespace postrider::agent
