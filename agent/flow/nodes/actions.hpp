#pragma once
// What the nodes do that act on the outside: through the services and the steps of their run.
#include "agent/flow/node_run.hpp"

namespace postrider::agent::flow {

// telegram_*.json describe their parameters; each message that is sent comes out as an item.
base::awaitable<base::result<outputs>> send_telegram(node_run& run);
base::awaitable<base::result<outputs>> edit_telegram(node_run& run);
base::awaitable<base::result<outputs>> react_telegram(node_run& run);
base::awaitable<base::result<outputs>> delete_telegram(node_run& run);

// http_respond.json: answers the request that started the execution.
base::awaitable<base::result<outputs>> respond_http(node_run& run);

// call_flow.json: runs another flow with each item.
base::awaitable<base::result<outputs>> call_flow(node_run& run);

} // namespace postrider::agent::flow
