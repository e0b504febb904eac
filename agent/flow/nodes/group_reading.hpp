#pragma once
// A group's conversation (agent/group), of what its archive has. Pure.
#include "agent/group/context.hpp"
#include "storage/stores/group_context.hpp"

namespace postrider::agent::flow {

// The summary and the messages as they read at that time; what was edited later, up to the turn's arrival,
// stands behind them as edits, each where it came. Later edits nobody has checked yet: they are left out.
agent::group::context context_of(
    storage::group_history const& history, chat_id chat, base::sys_time as_of
);

// As an agent reads it: edits since the summary are apart, also those of messages that it covers, for requests to begin alike
// until the next one.
agent::group::context current_context(storage::group_history const& history, chat_id chat);

// What the next summary has to know of messages that this one covers: each that was edited since, as it read then, and its new
// wordings up to the turn's arrival.
std::vector<agent::group::context_message> corrections_of(storage::group_history const& history);

// Up to when edits and deletions are in a summary of it: edits behind the turn's arrival are not, although they were read.
base::sys_time reaches_to(storage::group_history const& history);

// Of messages that no summary could take in yet: about so many tokens of the newest, in steps, so that
// requests of several turns begin alike.
void leave_out_oldest(
    agent::group::context& conversation, std::int64_t tokens, base::time_zone const& zone
);

// That many messages may be within so many tokens, and so many messages have at least that many.
int most_messages_of(std::int64_t tokens) noexcept;
std::int64_t least_tokens_of(int messages) noexcept;

} // namespace postrider::agent::flow
