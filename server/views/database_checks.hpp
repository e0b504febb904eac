#pragma once
// What `check --online` and `doctor` ask of Postgres. Blocking, inside an open transaction; they
// throw as transaction::query() does.
#include "agent/flow/library/lifecycle.hpp"
#include "server/start/config.hpp"
#include "server/views/finding.hpp"
#include "storage/database.hpp"

namespace postrider::server {

// Nothing when it can be written; else why not, and the way out. Needs no schema.
findings look_at_writing(storage::transaction& tx);
// The server as such: version, writable, clock, rights of our role. Needs no schema.
findings look_at_server(storage::transaction& tx);

// The nodes: alive, and of one version. Needs our schema, as the next three.
findings look_at_nodes(storage::transaction& tx);
// What waits, what is paused, what failed lately.
findings look_at_work(storage::transaction& tx);
// Published flows that could not be published any more. A warning: another process may be
// configured otherwise than we are.
findings look_at_flows(storage::transaction& tx, agent::flow::validator const& validator);
// Some published flow asks for what happens in groups.
bool any_flow_watches_groups(storage::transaction& tx, agent::flow::catalog const& types);
// Agents with tools whose model takes none.
findings look_at_tool_models(storage::transaction& tx, config const& settings);
// What Postgres needs to stay well: short transactions, vacuum, partitions ahead, disk.
findings look_at_storage(storage::transaction& tx);

// All of these but the first, of an older schema only what has always been there: added to `found` one
// after the other, so that what was found out before a query is refused is there. False: the schema
// does not fit this program, and nothing of it was looked at.
bool look_at_installation(
    storage::transaction& tx,
    config const& settings,
    agent::flow::validator const& validator,
    findings& found
);

} // namespace postrider::server
