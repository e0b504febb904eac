#pragma once
// What the spam filter says, what it has learned, whom it knows, and where a page of these ended: as the API and the command
// line write it. Pure.
#include "agent/spam/preview.hpp"
#include "agent/spam/store/catches.hpp"
#include "agent/spam/store/members.hpp"
#include "agent/spam/store/samples.hpp"
#include "agent/spam/store/verdicts.hpp"
#include "agent/spam/verdict.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::server {

// {"spam", "points", "threshold", "reason", "checks": [{"name", "spam", "score", "weight", "points", "reason"}]}. A check says
// spam from half of its full score on.
boost::json::object spam_check_json(agent::spam::verdict const& verdict);

// The same with the message that was judged and with what was done: {"chat", "message", "user", "name", "text", "judged_at",
// "catch": {"action", "by", "undone_at", "undone_by"} or null, …}.
boost::json::object spam_verdict_json(agent::spam::listed_verdict const& listed);
// {"verdicts": […], "next"?}: next where the page is full, as in the others.
boost::json::object spam_verdicts_json(
    std::vector<agent::spam::listed_verdict> const& verdicts, int limit
);

// {"rules": [{"key", "check", "default", "constraint", "help"}]}: every rule; check is null for the threshold.
boost::json::object spam_rules_json();

boost::json::object spam_sample_json(agent::spam::stored_lesson const& sample);
boost::json::object samples_json(std::vector<agent::spam::stored_lesson> const& samples, int limit);
// {"text": {"text", "points_before", "points_after", "was_spam", "is_spam"}, "judged", "changed": […]}
boost::json::object training_effect_json(agent::spam::training_effect const& effect);
// {"texts": […], "effect": as above, or null: they teach nothing}: what an unban takes back, each text once.
boost::json::object unban_effect_json(
    std::vector<agent::spam::caught_message> const& bans,
    std::optional<agent::spam::training_effect> const& effect
);

boost::json::object spam_member_json(agent::spam::member const& member);
boost::json::object spam_members_json(std::vector<agent::spam::member> const& members, int limit);

// "TIME,CHAT,MESSAGE,WORDING" and "MESSAGES,USER". Nothing: no page named it.
std::string cursor_of(agent::spam::verdict_place const& place);
std::optional<agent::spam::verdict_place> verdict_place_from(std::string_view cursor);
std::string cursor_of(agent::spam::member_place const& place);
std::optional<agent::spam::member_place> member_place_from(std::string_view cursor);

} // namespace postrider::server
