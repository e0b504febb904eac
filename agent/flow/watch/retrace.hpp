#pragma once
// Runs a recorded execution over again for whoever looks on: its graph, or that of another version,
// is given the recorded answers. Nothing is done, nobody is called or written to; memory is read.
#include "agent/flow/run/execution.hpp"
#include "agent/flow/watch/trace.hpp"
#include "queue/admin/replay_workflow.hpp"

#include <optional>
#include <string>
#include <vector>

namespace postrider::agent::flow {

struct retraced {
    trace seen;
    // How the graph ended; nothing while the record ends before it.
    std::optional<queue::outcome> outcome;
    // Where it departs from the record. Of a running execution the first are what it does now.
    std::vector<std::string> missing; // steps it asked for that the record does not have
    std::vector<std::string> unasked; // steps of the record that it did not ask for
};

// Of a step that only waited, for a time or an event.
bool waited(queue::step_summary const& step) noexcept;

// What happened; of an execution that never began, nothing. timeout: it took too long, say because
// memory could not be read.
base::awaitable<base::result<retraced>> retrace(
    graph const& flow, queue::recording const& record, node_services const& services
);

// What the graph makes of the record, also of one that never began. The record's job may be changed
// before, to give the graph another input. Fails like retrace().
base::awaitable<base::result<retraced>> replay(
    graph const& flow, queue::recording const& record, node_services const& services
);

} // namespace postrider::agent::flow
