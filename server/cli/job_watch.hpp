#pragma once
// Follows jobs as they go, until Ctrl-C, until those that are named are over, or until whoever hears of
// them wants no more. Blocking.
#include "queue/admin/job_feed.hpp"
#include "server/start/local_database.hpp"

#include <functional>
#include <vector>

namespace postrider::cli {

// False: no more of them.
using heard_events = std::function<bool(std::vector<queue::job_event> const&)>;

struct watch_end {
    bool interrupted = false;
    std::vector<job_id> missing; // of those named: there are none
};

// Fails as reading does at first, or for about a minute; a look that fails in between is repeated, and
// loses nothing.
base::result<watch_end> watch_jobs(
    server::local_database const& db,
    queue::job_filter filter,
    std::vector<job_id> only,
    heard_events const& hear
);

} // namespace postrider::cli
