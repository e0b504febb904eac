// Stand-ins for the behaviours that need a server's services, so that the catalog can be built
// without one.
#include "agent/flow/nodes/actions.hpp"
#include "agent/flow/nodes/agent.hpp"
#include "agent/flow/nodes/memories.hpp"
#include "agent/flow/nodes/models.hpp"
#include "agent/flow/nodes/tools.hpp"

namespace postrider::agent::flow {

namespace {

base::error unwritten() {
    return {base::errc::internal, "not in this test"};
}

base::awaitable<base::result<outputs>> refuse() {
    co_return unwritten();
}

} // namespace

base::awaitable<base::result<outputs>> send_telegram(node_run&) {
    return refuse();
}
base::awaitable<base::result<outputs>> edit_telegram(node_run&) {
    return refuse();
}
base::awaitable<base::result<outputs>> react_telegram(node_run&) {
    return refuse();
}
base::awaitable<base::result<outputs>> respond_http(node_run&) {
    return refuse();
}
base::awaitable<base::result<outputs>> call_flow(node_run&) {
    return refuse();
}
base::awaitable<base::result<outputs>> run_agent(node_run&) {
    return refuse();
}
base::result<ai_part> make_configured_model(part_run const&) {
    return unwritten();
}
base::result<ai_part> make_anthropic_model(part_run const&) {
    return unwritten();
}
base::result<ai_part> make_openai_model(part_run const&) {
    return unwritten();
}
base::result<ai_part> make_compatible_model(part_run const&) {
    return unwritten();
}
base::result<ai_part> make_rules_model(part_run const&) {
    return unwritten();
}
base::result<ai_part> make_window_memory(part_run const&) {
    return unwritten();
}
base::result<ai_part> make_calculator_tool(part_run const&) {
    return unwritten();
}
base::result<ai_part> make_current_time_tool(part_run const&) {
    return unwritten();
}
base::result<ai_part> make_flow_tool(part_run const&) {
    return unwritten();
}

} // namespace postrider::agent::flow
