#pragma once
// Tells one watcher of an execution's events until it is over: those that the record proves with
// their numbers, whichever node they are asked of, and what happens between as far as it is seen
// from here. On the loop's thread.
#include "agent/flow/graph.hpp"
#include "agent/flow/watch/live.hpp"
#include "agent/flow/watch/retrace.hpp"
#include "net/sse.hpp"
#include "server/api/look_pace.hpp"
#include "server/api/watched_events.hpp"
#include "storage/database.hpp"

#include <memory>
#include <string>

namespace postrider::api {

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
    bool told_all() const noexcept { return events_.told_all(); }

    // After the first look: tells what is new until the execution is over or gone, or the watcher
    // should come again to show that it still may. A look that the database fails is tried again. However much happens, it looks ten times
    // a second at most, and less often where a look takes long (look_pace.hpp). A look reads the
    // rows that came since the one before.
    base::awaitable<void> tell(net::body_writer& to);

private:
    struct reading;

    base::awaitable<bool> write(net::body_writer& to, std::vector<agent::flow::event> events);

    watch_services services_;
    job_id job_;
    watched_events events_;
    look_pace pace_;
    std::string mark_;                       // of the record as it was looked at
    std::optional<queue::recording> record_; // then
    std::shared_ptr<agent::flow::live_queue> live_;
};

} // namespace postrider::api
