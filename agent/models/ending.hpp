#pragma once
// Private to agent/models: the word with which an answer says why it ended. Vendors and gateways have many
// words, and new ones come. A word is read by its parts, whatever its case. Half an answer must not count
// as a whole one, so a word that is not known means that the answer was broken off. Pure.
#include "agent/models/model.hpp"
#include "base/error.hpp"

namespace postrider::agent::wire {

// Sets why the reply stopped, when its text and its calls are read. "" as the word: it ended as usual. What was
// said before a refusal is dropped. unavailable: the answer was broken off, or lacks all that it speaks of;
// context_too_long: there was no room for an answer.
base::result<void> note_ending(chat_reply& reply, std::string_view word);

} // namespace postrider::agent::wire
