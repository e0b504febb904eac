#pragma once
// The last executions of a flow run through its draft, before it is published: which of them would go as they
// went, and where the others differ. Nothing is called, sent, paid or written.
#include "server/api/endpoints.hpp"

namespace postrider::api {

// POST /api/v1/flows/{name}/replays. The executions are read and replayed one after the other, each within
// retrace()'s own time. The services outlive the database.
base::awaitable<net::http_response> replay_last_executions(
    execution_services services, net::http_request request, storage::database& db
);

} // namespace postrider::api
