#pragma once
// Trials: a past turn of an agent again, with another model or system prompt, and how it compares. A trial is a
// job like others: a silent fork that runs nothing but the agent (flow::trial).
#include "server/api/endpoints.hpp"

namespace postrider::api {

// POST /api/v1/executions/{id}/trials. 201 with the new execution's id. The services outlive the database.
base::awaitable<net::http_response> start_trial(
    execution_services services, net::http_request request, storage::database& db
);

// GET /api/v1/executions/{id}/comparison, of a trial with its original.
base::awaitable<net::http_response> compare_trial(net::http_request request, storage::database& db);

} // namespace postrider::api
