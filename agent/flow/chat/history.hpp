#pragma once
// Messages of the history as rows, and back. Pure.
//
// A row's detail holds an assistant message's calls and the provider's own state of it (reasoning),
// so that later turns send the message as this one did; which call a tool message answers; that the
// answer offers a new conversation; the texts of the files that came with a person's message; or, in a
// session, whose message it is.
#include "agent/models/model.hpp"
#include "storage/stores/messages.hpp"

#include <cstddef>
#include <cstdint>

namespace postrider::agent {

chat_message message_from(storage::message_row const& row);
// Of the row's place in the history, which never changes: see steady_start().
std::uint64_t mark_of(storage::message_row const& row) noexcept;

// [{"name", "text"}]
boost::json::array to_json(std::vector<attached_text> const& documents);
std::vector<attached_text> documents_from(boost::json::value const* list);

// What a person thinks of an answer, without a word.
struct answer_reaction {
    std::string answer;               // its text
    user_id user{};                   // whose it is
    std::vector<std::string> emoji{}; // empty = they took it back
};
// Of a row of an assistant; of any other none.
std::vector<answer_reaction> reactions_to(storage::message_row const& row);

// The answer in this row offers the person a new conversation, since this one is long.
bool offers_new_conversation(storage::message_row const& row);
// Makes the row of an answer such a row.
void offer_new_conversation(storage::message_row& row);

// The tool message that answers the call.
chat_message result_of(
    tool_call const& call, std::string text, bool is_error, std::string_view error_reason = {}
);

// Where a provider's state is larger, in bytes of JSON, the row is without it: later turns send the
// message's text and calls in its place.
inline constexpr std::size_t most_state = std::size_t{256} * 1024;

// role, content and detail of the row.
storage::message_row row_from(chat_message const& message);

} // namespace postrider::agent
