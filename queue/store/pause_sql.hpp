#pragma once
// How a worker leaves a lane that was paused while its job ran. What was asked of the job may stand in
// lane_run.asked where the request to hold the lane would: so where anything is asked, the pauses
// themselves are looked at. Where nothing is, as in a plain turn, nobody looks.
#include "storage/database.hpp"

// Whether the lane of lane_run's row `r` is held.
#define POSTRIDER_LANE_HOLDS                                                                       \
    "coalesce(r.asked = 'hold' or r.asked is not null and postrider.lane_held(r.lane_id), false)"

namespace postrider::queue::sql {

// A row for each lane that is paused.
inline constexpr storage::statement find_pause{
    "find_pause",
    R"(
select t.i from json_to_recordset($1::json) as t(i int, lane_id bigint)
where postrider.lane_held(t.lane_id)
)",
    98};

// Behind free_lanes: a lane without a job that is left is idle.
inline constexpr storage::statement refresh_lanes{
    "refresh_lanes",
    R"(
select t.i, postrider.lane_refresh(t.lane_id) from json_to_recordset($1::json) as t(i int, lane_id bigint)
)",
    99};

} // namespace postrider::queue::sql
