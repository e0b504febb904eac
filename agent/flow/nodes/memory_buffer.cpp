#include "agent/describe/bounds.hpp"
#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/memories.hpp"

namespace postrider::agent::flow {

namespace {

boost::json::object buffer_parameters() {
    auto schema = parameters("{" + std::string(session_parameter) + R"(,
        "max_characters": {
            "title": "Characters",
            "description": "The most characters of the newest messages that the model sees. A longer conversation is cut to between two thirds of it and all of it, so that requests of several turns begin with the same message.",
            "type": "integer"
        }
    })");
    bounds::apply(bounds::buffer, schema["properties"].at("max_characters"));
    return schema;
}

} // namespace

node_type describe_memory_buffer() {
    return {
        .name = "memory.buffer",
        .title = "Buffer memory",
        .documentation = R"(
            Remembers a whole session until it is cleared. To limit the size of a request, the
            model sees the newest messages up to a number of characters, and at most a
            thousand messages. Older messages stay stored. Without a session, the memory is
            the conversation of the execution's lane.)"_folded,
        .parameters = buffer_parameters(),
        .behaviour = part_of(ai_memory, make_buffer_memory),
    };
}

} // namespace postrider::agent::flow
