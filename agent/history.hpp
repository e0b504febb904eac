#pragma once
// Messages of the history as rows, and back. Pure.
//
// A row's detail holds an assistant message's calls, or which call a tool message answers. A
// provider's own state (reasoning) is not kept in the history: providers need it within a turn
// only, where the recorded replies have it, and it is bound to a history that is never cut.
#include "agent/models/model.hpp"
#include "storage/stores/messages.hpp"

#include <cstdint>

namespace postrider::agent {

chat_message message_from(storage::message_row const& row);
// Of the row's place in the history, which never changes: see steady_start().
std::uint64_t mark_of(storage::message_row const& row) noexcept;

// The tool message that answers the call.
chat_message result_of(tool_call const& call, std::string text, bool is_error);

// role, content and detail of the row.
storage::message_row row_from(chat_message const& message);

} // namespace postrider::agent
