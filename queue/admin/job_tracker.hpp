#pragma once
// Follows all jobs by looks at the database (job_look.hpp): says what to look for next, and what a look
// has found that was not told before. A look that failed changes nothing here. Pure.
//
// A job that waits and is neither new nor leased is compared in turn, some each look, so a change of
// it is found a few looks later where many jobs wait. It remembers 100,000 jobs at most; of older ones
// it finds what changes while a node leases their lane and what a person does to them.
#include "queue/admin/job_look.hpp"
#include "queue/admin/job_match.hpp"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace postrider::queue {

struct job_change {
    job_summary job;
    std::string flow;
    // As it stood before; nothing where it is new or was not followed.
    std::optional<job_standing> before;
    bool is_new = false; // created since the first look
};

class job_tracker {
public:
    job_look_query next();
    // What the look found, in the order of ids. `at`: when it ended. A row that was written again and says
    // the same is no change, however long ago the job was created: ages are not compared.
    std::vector<job_change> add(job_look look, base::steady_time at);

    std::size_t followed() const noexcept { return known_.size(); }

private:
    struct followed_job {
        std::int64_t version = 0; // 0 = to be read
        std::optional<job_standing> standing;
        std::size_t digest = 0; // of what was told; 0 = nothing was
        bool is_over = false;
    };
    struct past_look {
        base::steady_time at;
        std::int64_t next;
        std::int64_t newest;
        std::string operated_from;
    };

    void begin(job_look const& look);
    std::optional<job_change> note(found_job& found);
    void move_floor(job_look const& look, base::steady_time at);
    void forget();

    std::map<job_id, followed_job> known_;
    std::set<job_id> unread_;
    std::set<job_id> over_;
    job_id compared_{0}; // the last one
    std::string since_;
    std::int64_t first_newest_ = 0;
    std::int64_t floor_ = 0;
    std::string operated_from_;
    std::deque<past_look> looks_;
};

} // namespace postrider::queue
