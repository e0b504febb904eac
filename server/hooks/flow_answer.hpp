#pragma once
// The answer that a flow gives to the request that started it: what the first HTTP respond node of
// the execution recorded, on whichever node of the cluster it ran.
#include "server/api/reply_waiters.hpp"

#include <boost/json/value.hpp>

#include <optional>

namespace postrider::hooks {

// {"status", "headers", "body"}: a text as it is, anything else as JSON. A browser treats it as a
// page of nobody, whatever the flow put into it. Only headers about the answer itself and X- headers
// of the flow's own are sent; the others, and malformed ones, are left out. Pure.
net::http_response to_response(boost::json::value const& recorded);

// Waits for it so long. Nothing: none came. 500 when the execution failed, 200 with its id when it
// ended without an answer.
base::awaitable<std::optional<net::http_response>> await_answer(
    api::reply_waiters& room, job_id execution, base::duration patience
);

} // namespace postrider::hooks
