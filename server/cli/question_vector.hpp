#pragma once
// The vector of a question, by the server of [embeddings.default]. Blocking.
#include "server/cli/command.hpp"

#include <optional>
#include <string>

namespace postrider::cli {

// "" where none is configured; nothing where the server does not answer within ten seconds.
std::optional<std::string> vector_of_question(context const& in, std::string const& question);

} // namespace postrider::cli
