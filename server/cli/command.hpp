#pragma once
// How a command (parser/command.hpp) says that it could not do its work.
#include "base/error.hpp"
#include "base/ids.hpp"
#include "server/cli/parser/command.hpp"

namespace postrider::cli {

// "postrider: cannot …: <why>" on err, with a hint where one helps; returns 1.
int fail(context const& in, std::string_view doing, base::error const& reason);

// The same for a wrong use that only the command can see, with where to look; returns 2.
int usage(context const& in, std::string_view wrong);

// That there is none of that id, and where to look; returns 1.
int no_such_job(context const& in, job_id job);

} // namespace postrider::cli
