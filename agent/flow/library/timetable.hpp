#pragma once
// The schedules of flows: each trigger of a published version that starts at times is a row of
// postrider.schedule named "flow:FLOW:NODE", whose job pins that version. They change with the
// publication, in its transaction.
#include "agent/flow/trigger.hpp"
#include "queue/admin/schedules.hpp"
#include "storage/stores/lanes.hpp"

#include <string_view>
#include <vector>

namespace postrider::agent::flow {

// The rows of a version's enabled triggers of that kind, in the lane that settings.lane gives without
// an item: their times are not known yet. Pure. As queue::plan_schedule fails.
base::result<std::vector<queue::schedule>> timetable_of(
    definition const& flow, std::int64_t version, catalog const& types
);

// These are the flow's schedules from now on; others of it end. One that people have paused stays
// so. One for a single time that is over stays as it is, whatever becomes of its trigger: it tells
// that the time has had its execution. Their lanes are made, and take what arrives as told.
void keep_schedules(
    storage::transaction& tx,
    std::string_view flow,
    std::vector<queue::schedule> const& schedules,
    storage::lane_manner const& lanes = {}
);
// Of a flow that is gone.
void remove_schedules(storage::transaction& tx, std::string_view flow);

} // namespace postrider::agent::flow
