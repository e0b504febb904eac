#include "agent/talk/message_edit.hpp"

namespace postrider::agent {

std::vector<storage::write> apply_edit(message_edit const& edit, std::string_view chat_lane) {
    return {
        storage::lock_edited_lanes(chat_lane, edit.at.chat, edit.message),
        storage::edit_message(
            chat_lane, edit.at.bot, edit.at.chat, edit.message, edit.text, edit.order
        )};
}

} // namespace postrider::agent
