#include "agent/describe/bounds.hpp"
#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/memories.hpp"

namespace postrider::agent::flow {

namespace {

boost::json::object conversation_parameters() {
    auto schema = parameters(R"({
        "max_tokens": {
            "title": "Most tokens",
            "description": "So many tokens of the conversation the model sees at most; four bytes are counted as a token. Once there are more it sees the newest messages, and the person is offered a new conversation, once.",
            "type": "integer"
        }
    })");
    bounds::apply(bounds::history_tokens, schema["properties"].at("max_tokens"));
    return schema;
}

} // namespace

node_type describe_memory_conversation() {
    return {
        .name = "memory.conversation",
        .title = "Conversation memory",
        .documentation = R"(
            Remembers the whole conversation of the execution's lane, up to a budget of
            tokens. The answer that uses up the budget says so, and offers /new.)"_folded,
        .parameters = conversation_parameters(),
        .behaviour = part_of(ai_memory, make_conversation_memory),
    };
}

} // namespace postrider::agent::flow
