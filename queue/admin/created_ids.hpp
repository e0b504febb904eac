#pragma once
// The ids of the jobs of a time. Ids ascend with the time of creation, but the clock may have been
// set back while jobs were created: so bounds of ids are looked up in blocks of ids. They hold for
// every job of the time, and for others.
//
// Read-only, inside an open transaction.
#include "base/clock.hpp"
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <limits>
#include <optional>

namespace postrider::queue {

// From `first` on, and before `end`.
struct id_range {
    job_id first{0};
    job_id end{std::numeric_limits<std::int64_t>::max()};
};

// Of the jobs that were created at or after `from` and before `until`; what is absent does not
// restrict. Nothing where no job was.
std::optional<id_range> ids_created_between(
    storage::transaction& tx,
    std::optional<base::sys_time> const& from,
    std::optional<base::sys_time> const& until
);

} // namespace postrider::queue
