// Triggers, a durable node and parts of an agent (scratch_parts.cpp) that are one value each and one
// line in the table below, which stands in for the product's own: nothing else of the product is
// touched.
#include "agent/flow/nodes/node_types.hpp"
#include "base/json/json.hpp"

namespace postrider::agent::flow {

namespace {

trigger_opening open_mailbox(boost::json::object const& parameters) {
    boost::json::value const whole(parameters);
    base::json_reader const from(whole);
    request_opening requests;
    requests.method = "PUT";
    requests.path = "mail/" + from["box"].string_or("");
    requests.proof.secret = "post_office";
    return requests;
}

node_type describe_mail() {
    return read_node_type(
        R"({
            "name": "scratch.mail",
            "group": "trigger",
            "title": "Mail",
            "description": "Starts an execution for each mail that comes into a box.",
            "outputs": [{"name": "main", "title": "items", "items": {"type": "object", "properties": {
                    "subject": {"type": "string"},
                    "sender": {"type": "object", "properties": {"name": {"type": "string"}}}
                }}}],
            "parameters": {"properties": {"box": {"title": "Box", "description": "Which.", "type": "string", "x-expression": false}}, "required": ["box"]}
        })",
        trigger{
            .open = open_mailbox,
            .unique = {"box"},
        }
    );
}

trigger_opening open_daily(boost::json::object const&) {
    schedule_opening times;
    times.recurrence.cron = "0 7 * * *";
    times.overlap = queue::overlap_policy::skip;
    return times;
}

node_type describe_daily() {
    return read_node_type(
        R"({
            "name": "scratch.daily",
            "group": "trigger",
            "title": "Daily",
            "description": "Starts an execution every morning.",
            "outputs": [{"name": "main", "title": "items"}]
        })",
        trigger{.open = open_daily}
    );
}

node_type describe_talk() {
    return read_node_type(
        R"({
            "name": "scratch.talk",
            "group": "trigger",
            "title": "Talk",
            "description": "Starts an execution for each message of a conversation.",
            "outputs": [{"name": "main", "title": "items"}]
        })",
        trigger{
            .source = trigger_source::message,
            .open = [](auto const&) { return conversation_opening{}; },
        }
    );
}

node_type describe_ring() {
    return read_node_type(
        R"({
            "name": "scratch.ring",
            "group": "trigger",
            "title": "Ring",
            "description": "Starts an execution when another flow asks for it.",
            "outputs": [{"name": "main", "title": "items"}]
        })",
        trigger{.source = trigger_source::caller}
    );
}

base::awaitable<base::result<outputs>> stamp_items(node_run& run) {
    auto const parameters = co_await run.parameters();
    if (!parameters) co_return parameters.error();
    boost::json::value const stamp(parameters->at("stamp"));
    auto const recorded = co_await run.steps().record_value("stamp", stamp);
    co_return to_main({{"stamp", *recorded}});
}

node_type describe_stamp() {
    return read_node_type(
        R"({
            "name": "scratch.stamp",
            "title": "Stamp",
            "description": "Puts a stamp on what comes in, once.",
            "inputs": [{"name": "main", "title": "items"}],
            "outputs": [{"name": "main", "title": "items"}],
            "parameters": {"properties": {"stamp": {"title": "Stamp", "description": "Which.", "type": "string"},
                "chat": {"title": "Chat", "description": "Whose.", "type": "integer"}}, "required": ["stamp"]}
        })",
        durable{.execute = stamp_items, .from_message = {"chat"}}
    );
}

} // namespace

node_type describe_diary();
node_type describe_server();
node_type describe_shelf();
node_type describe_shelved_memory();

// In place of nodes/catalog.cpp, which the linker then leaves out.
catalog builtin_types() {
    catalog types;
    types.add(describe_mail());
    types.add(describe_daily());
    types.add(describe_talk());
    types.add(describe_ring());
    types.add(describe_stamp());
    POSTRIDER_ADD_NODE_TYPE(types, call_flow)
    POSTRIDER_ADD_NODE_TYPE(types, if)
    POSTRIDER_ADD_NODE_TYPE(types, agent)
    POSTRIDER_ADD_NODE_TYPE(types, model)
    POSTRIDER_ADD_NODE_TYPES(types, model_provider)
    types.add(describe_server());
    types.add(describe_diary());
    types.add(describe_shelf());
    types.add(describe_shelved_memory());
    return types;
}

} // namespace postrider::agent::flow
