#pragma once
// From the command line's words to a filter. Pure, but for the time of "so long ago".
#include "base/error.hpp"
#include "queue/store/operations.hpp"
#include "server/cli/arguments.hpp"

namespace postrider::cli {

// errc::invalid, with what is wrong, for an instant that is none.
base::result<queue::job_filter> filter_of(job_choice const& chosen);

} // namespace postrider::cli
