#pragma once
// What comes back of a chat beside a press (agent/talk/press.hpp) and a change of a member: a person
// gave a message another text. Pure.
#include "agent/talk/address.hpp"
#include "storage/batcher.hpp"
#include "storage/stores/message_edits.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

struct message_edit {
    address at = {};
    telegram_message_id message{};
    std::string text = {};
    std::optional<storage::edit_order> order = {}; // none: the latest
};

// The rows of one stage by which a message has the new text: of a turn that has recorded nothing yet, which
// then answers that text, or of none (storage/stores/message_edits.hpp). `chat_lane`: the key of its chat's
// own lane. They lock lanes, so their unit is apart.
std::vector<storage::write> apply_edit(message_edit const& edit, std::string_view chat_lane);

} // namespace postrider::agent
