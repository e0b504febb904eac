#pragma once
// One execution with its record, and its recorded answers run through a version of its flow.
#include "queue/admin/replay_workflow.hpp"
#include "server/api/endpoints.hpp"
#include "server/views/executions.hpp"

#include <memory>

namespace postrider::api {

struct found_execution {
    server::execution_summary summary;
    queue::recording record;
};
// not_found, or as the database fails.
base::awaitable<base::result<std::shared_ptr<found_execution>>> find_execution(
    storage::database& db, job_id job
);

// 404: there is no such execution, or version. 409: this process cannot compile the flow. Else as
// the database fails that is only read.
net::http_response problem_with(base::error const& reason);

// POST /api/v1/executions/{id}/replay. The body is read, and its document compiled, where the
// database's work is done. The services outlive the database.
base::awaitable<net::http_response> replay_execution(
    execution_services services, net::http_request request, storage::database& db
);

} // namespace postrider::api
