#pragma once
// An execution as a list of events, made from its trace. Pure.
//
// What the record proves has a number, from 1: a record that has grown only adds to the end of the
// list, so a number says on any node how far a watcher has come. The others (number 0) are what
// happens between: they are also told live, without the record (live.hpp) and without a time.
#include "agent/flow/watch/trace.hpp"
#include "queue/admin/job_views.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace postrider::agent::flow {

struct event {
    std::int64_t number = 0;
    // Numbered: "started", "connection_used", "step" (every try of one), "node_finished", and last
    // "done", "failed" or "cancelled". Not numbered: "node_started", what nodes tell
    // ("tool_called", …), "waiting".
    std::string type;
    boost::json::object data; // redacted; "at_ms" counts from the job's creation

    bool operator==(event const&) const = default;
};

// "waiting" stands behind what was done so far, while it waits. Of an execution that never began
// there is nothing but its end. What stands in the list up to the number `behind` is left out, and
// costs nothing.
std::vector<event> events_of(
    definition const& flow,
    trace const& history,
    queue::job_details const& record,
    std::int64_t behind = 0
);

// {"code", "message"}
boost::json::object to_json(base::error const& failure);

// As they happen.
event node_started(node const& node, std::size_t count);
event told_by(node const& node, std::string_view type, boost::json::object const& detail);

} // namespace postrider::agent::flow
