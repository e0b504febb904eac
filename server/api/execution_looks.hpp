#pragma once
// What all who watch executions on this node look at together: one query a round says which records
// have changed, and only these are read and retraced, once each. On the loop's thread.
#include "agent/flow/validate/graph.hpp"
#include "agent/flow/watch/events.hpp"
#include "agent/flow/watch/retrace.hpp"
#include "server/api/look_pace.hpp"
#include "server/views/shared_looks.hpp"
#include "storage/database.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace postrider::api {

// The record of an execution, as it was read, and what it means. It does not change.
class execution_reading {
public:
    using shared_graph = std::shared_ptr<agent::flow::graph const>;

    execution_reading(
        std::string mark,
        queue::recording record,
        shared_graph graph,
        agent::flow::retraced retraced
    );

    // Differs from that of any other state of the record.
    std::string const& mark() const noexcept { return mark_; }
    queue::recording const& record() const noexcept { return record_; }
    queue::job_summary const& job() const noexcept { return record_.details.job; }
    // See events_of(); made once for all who know as much.
    std::vector<agent::flow::event> const& events_behind(std::int64_t number) const;

private:
    std::string mark_;
    queue::recording record_;
    shared_graph of_;
    agent::flow::retraced seen_;
    mutable std::map<std::int64_t, std::vector<agent::flow::event>> events_;
};

// One execution that is watched.
struct watched_execution {
    job_id job{};
    std::shared_ptr<execution_reading const> reading; // the newest
    base::steady_time read_at;                        // when it was tried last
    look_pace pace;
};

struct execution_finding {
    // not_found: there is no such execution, or no such flow any more; else as reading it failed. Where
    // it did not, watched_execution::reading is of this moment, or of the last round's where this one
    // had much to read.
    base::result<void> outcome;
};

using execution_rounds = server::shared_looks<job_id, execution_finding>;

class execution_looks {
public:
    // All of them outlive it.
    execution_looks(storage::database& db, agent::flow::node_services const& nodes);
    execution_looks(execution_looks const&) = delete;
    execution_looks& operator=(execution_looks const&) = delete;

    // The same for all who watch the job.
    std::shared_ptr<watched_execution> watch(job_id job);
    execution_rounds& rounds() noexcept { return rounds_; }

private:
    struct raw_reading;

    base::awaitable<base::result<std::vector<execution_finding>>> read(std::vector<job_id> jobs);
    base::awaitable<void> judge(
        watched_execution& execution, raw_reading& reading, execution_finding& finding
    );
    base::awaitable<base::result<void>> understand(
        watched_execution& execution, raw_reading& reading
    );

    storage::database& db_;
    agent::flow::node_services const& nodes_;
    std::map<job_id, std::weak_ptr<watched_execution>> watched_;
    execution_rounds rounds_;
};

} // namespace postrider::api
