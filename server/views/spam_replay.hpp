#pragma once
// Rules of the spam filter, run over what was written in groups: for the API and the command line. Each group's rules of today are
// those that it is judged with (spam_rules_in_force.hpp). Blocking, inside the caller's transaction; throws as
// transaction::query() does.
#include "agent/spam/replay.hpp"
#include "base/ids.hpp"
#include "server/views/spam_rules_in_force.hpp"
#include "storage/database.hpp"

#include <boost/json/object.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

namespace postrider::server {

struct replay_question {
    std::chrono::seconds age = std::chrono::hours{24 * 30}; // of the oldest message
    std::optional<chat_id> chat = {};                       // none: all groups
    // Makes the changed rules of those of today; empty: none is changed.
    std::function<agent::spam::rules(agent::spam::rules)> change = {};
    std::optional<int> enough = {}; // messages until approved; none: as the group has it
    int most = 200'000;             // messages of all groups together
};

struct replayed_group {
    chat_id chat{};
    rules_in_force rules;
};

struct replayed_archive {
    agent::spam::replay_result result;
    std::vector<replayed_group> groups; // with the rules of today that each had
};

// Reads page by page. The filter knows what it has learned by now.
replayed_archive replay_archive(storage::transaction& tx, replay_question const& question);

// {"judged", "spam_before", "spam_after", "caught", "missed", "changed", "is_cut", "newly_caught": [{"chat", "message", "user",
// "name", "text", "sent_at", "points_before", "points_after", "reason"}], "newly_missed": [the same], "checks": [{"check", "more",
// "less", "points_before", "points_after"}], "rules": [{"chat", "flow", "version"}]}
boost::json::object replay_json(replayed_archive const& replayed);

} // namespace postrider::server
