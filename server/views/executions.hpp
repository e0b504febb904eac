#pragma once
// Executions as people look at them: jobs that run flows, with what they have pinned. Read-only;
// inside an open transaction, for the command line and the HTTP API.
#include "queue/admin/job_views.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace postrider::server {

struct execution_summary {
    queue::job_summary job;
    std::string flow;
    std::optional<std::int64_t> version;         // pinned; none: its input is not a flow's
    std::optional<std::int64_t> current_version; // none: the flow starts nothing now
    std::string trigger;                         // a node's id; "" = the only one
    bool trial = false;   // begun or ended in the middle, or with pinned data
    bool stopped = false; // failed by a stop node of the flow, on purpose
};

struct execution_filter {
    std::string flow = {}; // empty texts do not restrict
    std::optional<std::int64_t> version = {};
    std::vector<queue::job_state> states = {};
    bool degraded = false; // as in queue::job_filter
    std::string degraded_reason = {};
    std::string kind = {};
    std::string error_class = {};
    std::optional<base::sys_time> created_after = {}; // then or later
    std::optional<base::sys_time> created_before = {};
};

struct execution_page {
    std::vector<execution_summary> executions; // newest first
    std::optional<job_id> continues;           // pass as `before`; none = the last page
};

execution_page list_executions(
    storage::transaction& tx,
    execution_filter const& filter,
    std::optional<job_id> before,
    int limit
);
std::optional<execution_summary> find_execution(storage::transaction& tx, job_id job);

} // namespace postrider::server
