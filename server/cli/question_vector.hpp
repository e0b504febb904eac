#pragma once
// The vector of a question, by the server of [embeddings.default]: within the budgets and in the audit. Blocking.
#include "base/error.hpp"
#include "server/cli/command.hpp"

#include <string>

namespace postrider::cli {

// "" where none is configured. An error, as a budget is empty or the server does not answer within ten seconds, has a
// sentence for people. `subject`: what is searched, for the audit.
base::result<std::string> vector_of_question(
    context const& in, std::string const& subject, std::string const& question
);

} // namespace postrider::cli
