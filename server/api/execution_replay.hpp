#pragma once
// One execution with its record, and its recorded answers run through a version of its flow.
#include "queue/admin/replay_workflow.hpp"
#include "server/api/endpoints.hpp"
#include "server/views/executions.hpp"

#include <memory>
#include <string>
#include <variant>

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

// A document to replay with, or the answer that refuses it.
std::variant<std::shared_ptr<agent::flow::graph const>, net::http_response> compile_for_replay(
    boost::json::value const& document, agent::flow::catalog const& types
);
// The draft of a flow, what is published, or a version by its number, or the answer that refuses it.
std::variant<boost::json::value, net::http_response> document_for_replay(
    storage::transaction& tx, std::string const& name, std::string const& version
);

// POST /api/v1/executions/{id}/replay. The body is read, and its document compiled, where the
// database's work is done. The services outlive the database.
base::awaitable<net::http_response> replay_execution(
    execution_services services, net::http_request request, storage::database& db
);

} // namespace postrider::api
