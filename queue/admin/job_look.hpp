#pragma once
// One look at the jobs that changed since the look before, read-only and inside an open transaction.
// What a look misses the next one finds: it returns what is committed and was not visible to
// `since`, in whatever order transactions commit.
//
// It costs what changes and what is new, not what is stored. Jobs change where they are created, where a
// node leases their lane, or where a person operates on them; these places are read by their
// indexes. Of jobs that wait the caller names those to compare.
#include "queue/admin/job_views.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace postrider::queue {

// The transaction that wrote a job's row last. 0 = none.
struct job_version {
    job_id job{};
    std::int64_t version = 0;
};

struct job_look_query {
    std::string since;              // the snapshot of an earlier look; "" = this is the first
    std::int64_t above = 0;         // every id that is new is greater
    std::string operated_from = {}; // no operation is older that was not visible to `since`
    std::vector<job_version> compared = {};
};

struct found_job {
    job_version at;
    std::string flow; // that its input names; "" = none
    // Nothing where the look found too many: it is to be compared by the next one.
    std::optional<job_summary> job;
};

// A job that lives as the first look comes: of each reason to wait some thousands.
struct live_job {
    job_version at;
    std::string state;
    std::string error_class;
};

struct job_look {
    std::string until;            // the snapshot to look from next
    std::int64_t oldest_open = 0; // every transaction before it had ended
    std::int64_t next = 0;        // no transaction from it on had begun to write
    std::int64_t newest = 0;      // no greater id was drawn
    std::string operated_from = {};
    std::vector<live_job> live;   // of the first look alone
    std::vector<found_job> found; // in the order of their ids
    std::vector<job_id> gone;     // of the compared ones
};

// Summaries of one look.
inline constexpr std::size_t most_read_jobs = 1000;

job_look look_at_jobs(storage::transaction& tx, job_look_query const& query);

} // namespace postrider::queue
