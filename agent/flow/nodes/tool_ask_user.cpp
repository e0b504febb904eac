#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/tools.hpp"
#include "agent/flow/parts/tools.hpp"
#include "base/clock.hpp"

#include <boost/json/parse.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::string_view description = R"(
    Asks the person a question here and returns the answer. Use it when you cannot go on without
    something that only the person knows, one question at a time. Offer choices where there are few
    answers; without them the person's next message is the answer. Never use it for a
    permission.)"_folded;

constexpr std::string_view arguments = R"({
    "type": "object",
    "properties": {
        "question": {
            "type": "string",
            "minLength": 1,
            "maxLength": 1000,
            "description": "In the person's language."
        },
        "choices": {
            "type": "array",
            "minItems": 2,
            "maxItems": 8,
            "uniqueItems": true,
            "items": {"type": "string", "minLength": 1, "maxLength": 60},
            "description": "A button each."
        }
    },
    "required": ["question"],
    "additionalProperties": false
})";

base::awaitable<base::result<tool_part>> make_ask_user(part_run& run) {
    auto const& settings = run.parameters;
    auto const patience =
        base::duration_from_text(std::string(settings.at("timeout").as_string())).value();
    offered_tool offered;
    offered.spec = {
        std::string(settings.at("name").as_string()),
        std::string(description),
        json::parse(arguments).as_object()};
    offered.kind = "tool.ask_user";
    offered.configured_as = "ask_user";
    offered.risk = risk::low;
    offered.work = question_call{std::chrono::duration_cast<std::chrono::milliseconds>(patience)};
    tool_part part;
    part.tools.push_back(std::move(offered));
    co_return part;
}

json::object ask_user_parameters() {
    auto schema = parameters(R"({
        "name": {
            "title": "Name",
            "description": "The tool's name for the model.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_-]{1,64}$",
            "default": "ask_user",
            "x-expression": false
        },
        "timeout": {
            "title": "Time-out",
            "description": "How long to wait for an answer.",
            "type": "string",
            "x-format": "duration",
            "x-expression": false
        }
    })");
    bounds::apply_usual(bounds::question_patience, schema["properties"].at("timeout"));
    return schema;
}

} // namespace

node_type describe_tool_ask_user() {
    return {
        .name = "tool.ask_user",
        .title = "Ask the person",
        .documentation = R"(
            Lets an agent ask the person a question, with or without buttons, and wait.
            While it waits, the execution uses no memory and survives restarts.
            Without choices, the person's next message is the answer. With choices, a message
            that matches none of them withdraws the question and gets its own turn.)"_folded,
        .parameters = ask_user_parameters(),
        .behaviour = part_of(ai_tool, make_ask_user),
    };
}

} // namespace postrider::agent::flow
