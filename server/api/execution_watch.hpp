#pragma once
// Tells one watcher of an execution's events until it is over: those that the record proves with
// their numbers, whichever node they are asked of, and what happens between as far as it is seen
// from here. On the loop's thread.
#include "agent/flow/watch/live.hpp"
#include "server/api/event_writer.hpp"
#include "server/api/execution_looks.hpp"
#include "server/api/watched_events.hpp"

#include <memory>
#include <string>

namespace postrider::api {

// What a watch needs; outlives it.
struct watch_services {
    execution_looks& looks;
    base::clock const& clock;
    agent::flow::live& live;
};

class execution_watch {
public:
    execution_watch(watch_services services, job_id job, event_position position);

    // Looks at the record, if it has changed. not_found: there is no such execution, or no such
    // flow any more; else as the database fails.
    base::awaitable<base::result<void>> look();
    // Nothing is left to tell and nothing will come.
    bool told_all() const noexcept { return events_.told_all(); }

    // After the first look: tells what is new until the execution is over or gone, or the watcher
    // should come again to show that it still may. A look that the database fails is tried again.
    // However much happens, it looks ten times a second at most, and less often where a look takes
    // long (look_pace.hpp), together with all others whose time it is (execution_looks.hpp).
    base::awaitable<void> tell(event_writer& writer);

private:
    void read();
    base::awaitable<bool> write(event_writer& writer, std::vector<agent::flow::event> events);

    watch_services services_;
    watched_events events_;
    std::shared_ptr<watched_execution> watched_;
    std::shared_ptr<execution_reading const> reading_; // that was told
    std::shared_ptr<agent::flow::live_queue> live_;
    std::shared_ptr<execution_rounds::place> place_;
};

} // namespace postrider::api
