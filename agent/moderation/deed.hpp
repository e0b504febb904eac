#pragma once
// What a verdict or a person's word comes to: rows of ours, and acts of Telegram. Rows and intents are one commit, so
// training, bans and the audit are true together, and the acts follow however often the process dies.
#include "agent/moderation/act.hpp"
#include "agent/moderation/catch_notice.hpp"
#include "agent/spam/store/catches.hpp"
#include "agent/spam/store/samples.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

struct deed {
    std::string name; // tells it apart from others of the job
    std::vector<storage::write> rows = {};
    std::vector<planned_act> acts = {};
    // Held for the next commit once the last act is done. A withheld one is not (act.hpp).
    std::vector<storage::write> rows_when_done = {};
    // Its catch says so where Telegram refuses one of the acts.
    std::optional<spam::catch_key> caught = {};
};

// It was no spam: unbanned, approved, learned as ham (agent/spam/store/undo.hpp).
deed pardon(spam::caught_message const& caught, std::string_view by_word_of);
// Deletes the messages and bans their author. What is not caught yet is then, by the word of that person.
deed condemn(
    spam::caught_message caught,
    std::vector<telegram_message_id> messages,
    std::string_view by_word_of
);
// Deletes the messages, which count as one strike.
deed warn(
    spam::caught_message caught,
    std::vector<telegram_message_id> messages,
    std::string_view by_word_of
);
// The text is a sample of the group from now on, and none of the other kind. No acts.
deed learn(spam::caught_message const& caught, spam::lesson_kind kind, std::string_view by_word_of);

// Of a job that does several: the suffix stands behind all names.
deed numbered(deed work, std::string_view suffix);

// Commits what was not committed before, then does the acts in order: what became of each. Throws queue::not_here,
// and queue::suspended where the record is only read and ends before.
base::awaitable<std::vector<queue::step_value>> carry_out(
    queue::workflow steps,
    messenger& out,
    storage::batcher& reads,
    address group,
    deed work,
    committing commit = committing(),
    base::retry_policy tries = moderation_tries
);

// What became of acts, as notices tell it.
catch_outcome outcome_of(
    std::vector<planned_act> const& acts, std::vector<queue::step_value> const& results
);
// The first failure; none: all was done.
std::optional<base::error> failure_of(std::vector<queue::step_value> const& results);

} // namespace postrider::agent
