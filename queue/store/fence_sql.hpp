#pragma once
// How a worker's commit begins: each of its lanes must be leased to this node under this epoch, and
// is locked until the commit. Each takes $1 = json array of rows with "i". They lock all that they
// may wait for in lane order, before anything else.
#include "storage/database.hpp"

namespace postrider::queue::sql {

// Locks the lanes in id order; a lane that this node does not lease with this epoch returns no row.
inline constexpr storage::statement fence{
    "fence",
    R"(
select o.i, r.arrivals, r.edits, r.head, r.asked
from (select * from json_to_recordset($1::json) as t(i int, lane_id bigint, epoch bigint, node_id bigint)
      order by lane_id) o
cross join lateral (select r.arrivals, r.edits, r.head, r.asked from postrider.lane_run r
                    where r.lane_id = o.lane_id and r.node_id = o.node_id and r.epoch = o.epoch for update) r
)",
    0};

// The same for lanes that were found locked before: one that still is returns no row, and nobody in
// the batch waits for it. Behind the other, whose lanes may be waited for.
inline constexpr storage::statement fence_unlocked{
    "fence_unlocked",
    R"(
select o.i, r.arrivals, r.edits, r.head, r.asked
from (select * from json_to_recordset($1::json) as t(i int, lane_id bigint, epoch bigint, node_id bigint)
      order by lane_id) o
cross join lateral (select r.arrivals, r.edits, r.head, r.asked from postrider.lane_run r
                    where r.lane_id = o.lane_id and r.node_id = o.node_id and r.epoch = o.epoch for update skip locked) r
)",
    1};

// The same where all rows of the commit travel along: nothing may follow where a lane is not leased so,
// where it was edited (`edits`: what the reply has seen), or where its end is not the usual one (`ends`: the
// lane is asked something, or a job before its `head` was put back). Then it fails, and the batch begins again by its stages.
inline constexpr storage::statement fence_or_fail{
    "fence_or_fail",
    R"(
select o.i, case when r.epoch is null or r.edits <> o.edits
                      or r.head < o.head or o.ends and r.asked is not null
                 then postrider.lane_differs() else r.arrivals end, r.edits, r.head, r.asked
from (select * from json_to_recordset($1::json)
          as t(i int, lane_id bigint, epoch bigint, node_id bigint, edits bigint, head bigint, ends boolean)
      order by lane_id) o
left join lateral (select r.epoch, r.arrivals, r.edits, r.head, r.asked from postrider.lane_run r
                   where r.lane_id = o.lane_id and r.node_id = o.node_id and r.epoch = o.epoch for update) r on true
)",
    0};

// Whether a lane that returned no row is still leased so.
inline constexpr storage::statement find_lease{
    "find_lease",
    R"(
select t.i from json_to_recordset($1::json) as t(i int, lane_id bigint, epoch bigint, node_id bigint)
cross join lateral (select from postrider.lane_run r
                    where r.lane_id = t.lane_id and r.node_id = t.node_id and r.epoch = t.epoch offset 0) r
)",
    0};

} // namespace postrider::queue::sql
