#pragma once
// The configured database for commands that may come before the first start of a server.
#include "server/cli/command.hpp"
#include "storage/database.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace postrider::cli {

// One transaction on an up-to-date schema; the exit code, failures reported.
int in_migrated(
    context const& in,
    std::string application,
    std::string_view doing,
    std::function<void(storage::transaction&)> work
);

} // namespace postrider::cli
