#include "agent/flow/nodes/group_reading.hpp"

#include "agent/group/compaction.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

// As attributes and all write them, without a text.
constexpr std::int64_t least_tokens_of_a_line = 18;
constexpr std::size_t left_out_at_once = 8 * agent::group::messages_of_a_piece;

std::string const& wording_at(storage::context_row const& row, base::sys_time time) {
    for (auto const& wording : row.earlier)
        if (wording.until > time) return wording.text;
    return row.text;
}

agent::group::context_message message_of(storage::context_row const& row, base::sys_time as_of) {
    agent::group::context_message message;
    message.id = row.message;
    message.user = row.sender_chat ? user_id{base::raw(*row.sender_chat)} : row.user;
    message.name = row.name;
    message.time = row.said_at;
    message.text = wording_at(row, as_of);
    message.media = row.media;
    if (row.reply)
        message.reply =
            agent::group::quoted_message{row.reply->message, row.reply->name, row.reply->text};
    return message;
}

struct timed_edit {
    base::sys_time at;
    agent::group::context_message message;
};

// Those since then, up to the turn's arrival.
void add_edits(
    std::vector<timed_edit>& edits,
    storage::context_row const& row,
    base::sys_time since,
    base::sys_time arrived_at
) {
    for (auto const& wording : row.earlier) {
        if (wording.until <= since || wording.until > arrived_at) continue;
        agent::group::context_message edit;
        edit.kind = agent::group::context_message::kind::edited;
        edit.id = row.message;
        edit.text = wording_at(row, wording.until);
        edits.push_back({wording.until, std::move(edit)});
    }
}

std::vector<timed_edit> edits_since(storage::group_history const& history, base::sys_time as_of) {
    std::vector<timed_edit> edits;
    for (auto const& row : history.messages) add_edits(edits, row, as_of, history.arrived_at);
    return edits;
}

// The messages as they read at that time, and edits where they came.
agent::group::context arranged(
    storage::group_history const& history,
    chat_id chat,
    base::sys_time as_of,
    std::vector<timed_edit> edits
) {
    agent::group::context conversation{.chat = chat};
    if (history.summary) conversation.summary = history.summary->text;
    std::ranges::stable_sort(edits, {}, &timed_edit::at);
    auto edit = edits.begin();
    auto reached = base::sys_time::min(); // rows of two processes may be stored out of order
    for (auto const& row : history.messages) {
        reached = std::max(reached, row.stored_at);
        for (; edit != edits.end() && edit->at < reached; ++edit)
            conversation.messages.push_back(std::move(edit->message));
        conversation.messages.push_back(message_of(row, as_of));
    }
    for (; edit != edits.end(); ++edit) conversation.messages.push_back(std::move(edit->message));
    return conversation;
}

} // namespace

agent::group::context context_of(
    storage::group_history const& history, chat_id chat, base::sys_time as_of
) {
    return arranged(history, chat, as_of, edits_since(history, as_of));
}

agent::group::context current_context(storage::group_history const& history, chat_id chat) {
    auto const as_of = history.summary ? history.summary->read_at : base::sys_time::min();
    auto edits = edits_since(history, as_of);
    for (auto const& row : history.edited) add_edits(edits, row, as_of, history.arrived_at);
    return arranged(history, chat, as_of, std::move(edits));
}

std::vector<agent::group::context_message> corrections_of(storage::group_history const& history) {
    std::vector<agent::group::context_message> corrections;
    if (!history.summary) return corrections;
    auto const read_at = history.summary->read_at;
    for (auto const& row : history.edited) {
        std::vector<timed_edit> edits;
        add_edits(edits, row, read_at, history.arrived_at);
        if (edits.empty()) continue;
        corrections.push_back(message_of(row, read_at));
        for (auto& edit : edits) corrections.push_back(std::move(edit.message));
    }
    return corrections;
}

base::sys_time reaches_to(storage::group_history const& history) {
    auto const is_edited_later = [&](storage::context_row const& row) {
        return !row.earlier.empty() && row.earlier.back().until > history.arrived_at;
    };
    bool const lacks_edits = std::ranges::any_of(history.messages, is_edited_later) ||
                             std::ranges::any_of(history.edited, is_edited_later);
    return lacks_edits ? history.arrived_at : history.read_at;
}

void leave_out_oldest(
    agent::group::context& conversation, std::int64_t tokens, base::time_zone const& zone
) {
    auto& messages = conversation.messages;
    auto bytes = agent::group::text_of(conversation, zone).size();
    std::size_t left_out = 0;
    while (messages.size() - left_out > left_out_at_once && agent::group::tokens_of(bytes) > tokens)
        for (auto const end = left_out + left_out_at_once; left_out < end; ++left_out)
            bytes -= agent::group::line_of(messages[left_out], conversation.chat, zone).size() + 1;
    messages.erase(messages.begin(), messages.begin() + static_cast<std::ptrdiff_t>(left_out));
}

std::int64_t least_tokens_of(int messages) noexcept {
    return messages * least_tokens_of_a_line;
}

int most_messages_of(std::int64_t tokens) noexcept {
    return static_cast<int>(std::min<std::int64_t>(tokens / least_tokens_of_a_line + 100, 50'000));
}

} // namespace postrider::agent::flow
