#pragma once
// What a person's word changes in the filter, as rows for the commit of a job: it becomes true together with what the
// job does in the chat. The same rows serve a transaction of one's own, by apply().
//
// Rows of members have the orders 79 to 81, those of a training 82 to 84 (docs/states.md, Locks).
#include "agent/spam/store/samples.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::spam {

struct member_word {
    chat_id chat{};
    user_id user{};         // of a channel its chat's number
    std::string by_word_of; // "user:ID", "cli:NAME", "filter"
};

// As approve() and ban() of members.hpp.
storage::write approve_row(member_word const& word);
storage::write ban_row(member_word const& word);
// Ends the ban, forgets strikes and approves.
storage::write unban_row(member_word const& word);

// As teach(), but a sample that is there already stays as it is. invalid: as of prepare().
base::result<std::vector<storage::write>> train_rows(lesson const& lesson);
// Takes back the samples of this kind with exactly this text, the group's own and those that all share.
std::vector<storage::write> withdraw_rows(
    chat_id chat, lesson_kind kind, std::string_view text, std::string_view withdrawn_by
);

// In the order of their statements.
void apply(storage::transaction& tx, std::vector<storage::write> writes);

} // namespace postrider::agent::spam
