#include "agent/talk/message_edit.hpp"

#include "storage/stores/message_edits.hpp"

namespace postrider::agent {

std::vector<storage::write> apply_edit(message_edit const& edit, std::string_view lane_key) {
    return {
        storage::lock_edited_lane(lane_key),
        storage::edit_message(lane_key, edit.at.bot, edit.at.chat, edit.message, edit.text)};
}

} // namespace postrider::agent
