#pragma once
// What happens to jobs, as it happens: state changes and finished tries of steps, found by polling.
// One feed has one reader; poll() runs in an open transaction, and where that fails, its reader goes on
// with a copy from before it. Whatever changed twice between two
// polls is told once, with the newest state.
#include "queue/admin/job_views.hpp"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace postrider::queue {

struct job_event {
    // The database's time of the step's end, or of the change: as recorded, or when it was seen.
    std::string at;
    job_summary job;
    std::string before;               // the state it was in; empty = new, or a step's event
    std::optional<step_summary> step; // a finished try; `begins` counts from the job's creation
};

class job_feed {
public:
    // Of the jobs named, or else of those that match: the live ones and all that come, unless one's
    // transaction took longer than ten seconds.
    explicit job_feed(job_filter filter, std::vector<job_id> only = {});

    // What is new, oldest first. The first poll tells nothing, except of named jobs how they stand;
    // what was over before it is never told.
    std::vector<job_event> poll(storage::transaction& tx);
    // All named jobs are over (or do not exist); never true of a filter.
    bool over() const;
    // Of the named jobs those that no poll has found; none before the first.
    std::vector<job_id> missing() const;

private:
    struct watched {
        std::string state;
        bool ended = false;
    };

    std::vector<job_id> to_look_at(storage::transaction& tx);
    void add_states(
        storage::transaction& tx,
        std::span<job_id const> jobs,
        std::string const& now,
        std::vector<job_event>& events
    );
    void add_steps(storage::transaction& tx, std::vector<job_event>& events);

    job_filter filter_;
    std::vector<job_id> only_;
    bool begun_ = false;
    std::map<job_id, watched> known_;
    job_id newest_{0};
    std::deque<std::pair<std::string, job_id>> newest_at_; // by the time of a poll, oldest first
    job_id floor_{0};                                      // no new job comes at or below it
    std::string began_at_;                                 // of the first poll
    std::string since_;                                    // steps that ended before were told
    std::set<std::string> told_steps_;                     // of those that ended at or after it
};

} // namespace postrider::queue
