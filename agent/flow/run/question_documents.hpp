#pragma once
// The texts of the files that an agent's question came with: plain text, Markdown, CSV, JSON and HTML.
//
// Guarantees that they are loaded once for a node, in the recorded step "documents", and that the conversation
// keeps them with the message in the same commit, so that later turns read them too. A file that cannot be
// read is named in its place. Private to the agent node.
#include "agent/flow/node_run.hpp"
#include "agent/models/model.hpp"

#include <cstddef>
#include <vector>

namespace postrider::agent::flow {

inline constexpr std::string_view documents_step = "documents";

// Of one message. A longer text is cut, and says so.
inline constexpr std::size_t most_documents = 10;
inline constexpr std::size_t most_document_text = 60'000; // bytes, of all of them

// Of the message that started the execution, where the item is still its trigger's; else none.
base::awaitable<std::vector<attached_text>> read_documents(node_run& run, std::size_t item);

} // namespace postrider::agent::flow
