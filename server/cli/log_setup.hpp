#pragma once
// What a command logs to the terminal.
#include "server/cli/command.hpp"

#include <string_view>

namespace postrider::cli {

// Whether nobody has set it.
bool by_default(context const& in, std::string_view key);

// Quiet: the terminal belongs to the chat or to what a command prints. Only what is wrong is logged
// there, unless somebody asked for more.
void configure_log(context const& in, bool quiet);

} // namespace postrider::cli
