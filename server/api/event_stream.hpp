#pragma once
// GET /api/v1/events: all that one tab watches, as one stream of server-sent events. On the loop's thread.
#include "server/api/conversation_access.hpp"
#include "server/api/database_pulse.hpp"
#include "server/api/demo_chat.hpp"
#include "server/api/event_parts.hpp"
#include "server/api/execution_watchers.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace postrider::api {

inline constexpr int most_event_streams = 2000; // of one process
inline constexpr int most_streams_of_a_person = 50;

// What all streams of this process share, also with the streams of one execution and of one conversation.
struct event_watchers {
    event_watchers(
        execution_services services,
        std::shared_ptr<execution_watchers> of_executions,
        shared_services of_conversations,
        base::random_source& source,
        std::shared_ptr<shared_readings> of_figures,
        demo_chat* of_demo
    )
        : with(services),
          executions(std::move(of_executions)),
          conversations(std::move(of_conversations)),
          random(source),
          readings(std::move(of_figures)),
          demo(of_demo) {}

    job_rounds& jobs_at(storage::database& db) {
        if (!jobs) jobs = std::make_unique<job_rounds>(db, clock(), random);
        return *jobs;
    }
    shared_mark_looks& marks_at(storage::database& db) {
        if (!marks) marks = look_at_marks(db, *readings, clock());
        return *marks;
    }
    database_pulse& pulse_at(storage::database& db) {
        if (!pulse) pulse = std::make_unique<database_pulse>(db, clock());
        return *pulse;
    }
    base::clock const& clock() const { return with.nodes.clock; }

    execution_services with;
    std::shared_ptr<execution_watchers> executions;
    shared_services conversations;
    base::random_source& random;
    std::shared_ptr<shared_readings> readings;
    demo_chat* demo; // null outside demo mode
    // A person has tabs on several devices. Operators may share a token.
    watch_places people{most_event_streams, most_streams_of_a_person};
    watch_places operators{most_event_streams};
    // Their database is the same for all.
    std::unique_ptr<job_rounds> jobs = {};
    std::unique_ptr<shared_mark_looks> marks = {};
    std::unique_ptr<database_pulse> pulse = {};
};
using shared_watchers = std::shared_ptr<event_watchers>;

// From the position that Last-Event-ID names ("" = none), or from now on. What is not there is told as gone.
// 503 where no place is free, or the database does not answer.
base::awaitable<net::http_response> stream_events(
    shared_watchers watchers,
    event_topics topics,
    std::string last_id,
    caller caller,
    storage::database& db
);

} // namespace postrider::api
