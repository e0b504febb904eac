#pragma once
// Tells one watcher of an execution's events until it is over: those that the record proves with
// their numbers, whichever node they are asked of, and what happens between as far as it is seen
// from here. On the loop's thread.
#include "agent/flow/graph.hpp"
#include "agent/flow/live.hpp"
#include "agent/flow/retrace.hpp"
#include "net/sse.hpp"
#include "storage/database.hpp"

#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace postrider::api {

// How far a watcher has come: "7", or "7.2" of a job that was restarted twice. What was told of an
// earlier life of the job does not count.
struct event_position {
    std::int64_t number = 0;
    std::int64_t restarts = 0;
};
std::string to_text(event_position at);
std::optional<event_position> event_position_from(std::string_view text);

// What a watch needs; outlives it.
struct watch_services {
    storage::database& db;
    agent::flow::node_services const& nodes;
    agent::flow::live& live;
};

class execution_watch {
public:
    execution_watch(watch_services services, job_id job, event_position from);

    // Looks at the record, if it has changed. not_found: there is no such execution, or no such
    // flow any more; else as the database fails.
    base::awaitable<base::result<void>> look();
    // Nothing is left to tell and nothing will come.
    bool told_all() const noexcept { return over_ && news_.empty(); }

    // After the first look: tells what is new until the execution is over, a look fails, or the
    // watcher should come again to show that it still may.
    base::awaitable<void> tell(net::body_writer& to);

private:
    struct reading;

    void take(std::vector<agent::flow::event> all, queue::job_summary const& job);
    void place(std::vector<agent::flow::event> between);
    bool is_new(agent::flow::event const& one);
    base::awaitable<bool> write(net::body_writer& to, std::vector<agent::flow::event> events);

    watch_services services_;
    job_id job_;
    event_position told_;
    std::int64_t begin_behind_; // what happened before this number was told by an earlier watch
    std::string mark_;          // of the record as it was looked at
    std::shared_ptr<agent::flow::live_queue> live_;
    std::set<std::string> told_between_;
    std::vector<agent::flow::event> news_;
    bool over_ = false;
};

} // namespace postrider::api
