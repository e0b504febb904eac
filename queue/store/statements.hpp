#pragma once
// The engine's hot statements. NAME is the text of sql/statements/NAME.sql, whose opening comment tells
// what it guarantees, takes and returns; it is embedded at build time (cmake/embed_statements.cmake).
//
// Those of a batch take $1 = json array of rows with "i", and stand here in the order in which one
// transaction runs them. The orders between 10 and 70 belong to other rooms' rows. Those that read
// job, step or effect are bounded by the range of the batch's jobs, $2 and $3.
//
// "= any(array(...))" bounds what an update reads whatever the plan was made for, and "+ 0" keeps
// the join out of the index: plans made while the tables were empty took a second otherwise
// (measured). A lane's row is found by the epoch of its lease: by its lane alone, a look-up would
// meet the versions of all bursts that an old snapshot keeps.
#include "storage/statement.hpp"

namespace postrider::queue::sql {

using storage::statement;

// A worker's commit begins: each of its lanes must be leased to this node under this epoch, and is
// locked until the commit. They lock all that they may wait for in lane order, before anything else.
extern statement const fence;
extern statement const fence_unlocked;
extern statement const fence_or_fail;
extern statement const find_lease;

// What a run reads of its job.
extern statement const read_attempts;
extern statement const read_effects;

// Arrivals.
extern statement const enqueue_turns;
extern statement const enqueue_later;

// What a worker's commit writes.
extern statement const record_attempts;
extern statement const plan_effects;
extern statement const change_effects;
extern statement const take_events;
extern statement const leave_place;
extern statement const add_waits;
extern statement const keep_place;
extern statement const end_waits;
extern statement const take_message;
extern statement const park_jobs;
extern statement const hold_jobs;
extern statement const settle_jobs;
extern statement const begin_rollback;

// How it leaves its lane: idle, free for any node, or with its next job.
extern statement const end_lanes;
extern statement const free_lanes;
extern statement const coalesce_mail;
extern statement const leave_lanes;
extern statement const look_for_events;
extern statement const find_pause;
extern statement const refresh_lanes;

// Claims.
extern statement const find_ready;
extern statement const claim;
extern statement const next_ready;

// Nodes: their registration, heartbeat and rescue.
extern statement const join_node;
extern statement const beat_node;
extern statement const my_leases;
extern statement const nodes_to_look_at;
extern statement const lock_dead_nodes;
extern statement const lock_dead_lanes;
extern statement const rescue_lanes;
extern statement const forget_nodes;
extern statement const clear_suspects;
extern statement const lock_lane;
extern statement const sweep_pauses;

// Limits. What they change may be lost with the server's power, so none waits for the disk.
extern statement const read_gates;
extern statement const define_bucket;
extern statement const take_tokens;
extern statement const probe_bucket;
extern statement const wake_bucket;
extern statement const report_bucket;
extern statement const find_place;

// For people.
extern statement const recorded_job;

} // namespace postrider::queue::sql
