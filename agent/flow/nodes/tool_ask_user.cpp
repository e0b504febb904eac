#include "agent/describe/folded_text.hpp"
#include "agent/flow/node_type.hpp"
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

} // namespace

behaviour tool_ask_user_behaviour() {
    return part_of(ai_tool, make_ask_user);
}

} // namespace postrider::agent::flow
