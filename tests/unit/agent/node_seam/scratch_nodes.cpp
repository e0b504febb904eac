// Triggers, a durable node and parts of an agent (scratch_parts.cpp) that are one value each and one
// line in the table below, which stands in for the product's own: nothing else of the product is
// touched.
#include "agent/flow/catalog.hpp"
#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/models.hpp"
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
    return {
        .name = "scratch.mail",
        .group = group::trigger,
        .title = "Mail",
        .documentation = "Starts an execution for each mail that comes into a box.",
        .outputs = {main_output()},
        .parameters = parameters(
            R"({"box": {"title": "Box", "description": "Which.", "type": "string", "x-expression": false}})",
            {"box"}
        ),
        .behaviour =
            trigger{
                .open = open_mailbox,
                .unique = {"box"},
                .item = item_fields(R"({
                    "subject": {"type": "string"},
                    "sender": {"type": "object", "properties": {"name": {"type": "string"}}}
                })"),
            },
    };
}

trigger_opening open_daily(boost::json::object const&) {
    schedule_opening times;
    times.recurrence.cron = "0 7 * * *";
    times.overlap = queue::overlap_policy::skip;
    return times;
}

node_type describe_daily() {
    return {
        .name = "scratch.daily",
        .group = group::trigger,
        .title = "Daily",
        .documentation = "Starts an execution every morning.",
        .outputs = {main_output()},
        .parameters = parameters("{}"),
        .behaviour = trigger{.open = open_daily},
    };
}

node_type describe_talk() {
    return {
        .name = "scratch.talk",
        .group = group::trigger,
        .title = "Talk",
        .documentation = "Starts an execution for each message of a conversation.",
        .outputs = {main_output()},
        .parameters = parameters("{}"),
        .behaviour =
            trigger{
                .source = trigger_source::message,
                .open = [](auto const&) { return conversation_opening{}; },
            },
    };
}

node_type describe_ring() {
    return {
        .name = "scratch.ring",
        .group = group::trigger,
        .title = "Ring",
        .documentation = "Starts an execution when another flow asks for it.",
        .outputs = {main_output()},
        .parameters = parameters("{}"),
        .behaviour = trigger{.source = trigger_source::caller},
    };
}

base::awaitable<base::result<outputs>> stamp_items(node_run& run) {
    auto const parameters = co_await run.parameters();
    if (!parameters) co_return parameters.error();
    boost::json::value const stamp(parameters->at("stamp"));
    auto const recorded = co_await run.steps().record_value("stamp", stamp);
    co_return to_main({{"stamp", *recorded}});
}

node_type describe_stamp() {
    return {
        .name = "scratch.stamp",
        .title = "Stamp",
        .documentation = "Puts a stamp on what comes in, once.",
        .inputs = {main_input()},
        .outputs = {main_output()},
        .parameters = parameters(
            R"({"stamp": {"title": "Stamp", "description": "Which.", "type": "string"},
                "chat": {"title": "Chat", "description": "Whose.", "type": "integer"}})",
            {"stamp"}
        ),
        .behaviour = durable{.execute = stamp_items, .from_message = {"chat"}},
    };
}

} // namespace

node_type describe_agent();
node_type describe_call_flow();
node_type describe_diary();
node_type describe_if();
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
    types.add(describe_call_flow());
    types.add(describe_if());
    types.add(describe_agent());
    for (auto& model : describe_models()) types.add(std::move(model));
    types.add(describe_server());
    types.add(describe_diary());
    types.add(describe_shelf());
    types.add(describe_shelved_memory());
    return types;
}

} // namespace postrider::agent::flow
