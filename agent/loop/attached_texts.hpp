#pragma once
// Texts of files that came with messages, as a model is sent them: behind the message's own words, marked as
// data. The same message is the same bytes in every later request, so that prompt caches hold it. Pure.
#include "agent/models/model.hpp"

namespace postrider::agent {

// Moves the documents of each message into its content.
void put_documents_into_words(std::vector<chat_message>& messages);

} // namespace postrider::agent
