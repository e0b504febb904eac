#include "agent/tools/memory_tools.hpp"

#include <fmt/format.h>

namespace postrider::agent {

namespace {

// The message that asked for it is where it comes from: once that is edited or deleted, the note goes.
base::awaitable<base::result<tool_output>> run_remember(
    tool_context& context, boost::json::object arguments
) {
    auto const owner = changing_memory_owner_of(context);
    if (!owner) co_return owner.error();
    recall::new_memory note;
    note.key = "call:" + context.key();
    note.owner = *owner;
    note.text = arguments.at("text").as_string();
    if (auto const* days = arguments.if_contains("days"))
        note.keep = std::chrono::days{days->to_number<std::int64_t>()};
    note.sources.push_back({.lane = context.job().lane, .job = context.job().id});
    context.add(recall::add_memory(note));
    context.add(receipt{"created", "memory", "", note.text});
    co_return fmt::format("It is remembered from now on: {}", note.text);
}

} // namespace

extern constinit tool const remember_tool{
    .name = "remember",
    .title = "Remember",
    .documentation = R"(
        Lets an agent remember a fact for good: of the person in this bot, or of the group. It is stored with the
        result of the call. An edit or deletion of the message that asked for it deletes it.)"_folded,
    .description = R"(
        Remembers something for later conversations, for good or for some days. Call it whenever you are asked to
        remember something, and when you learn a lasting fact, such as a name, a preference or a plan. Write one
        fact as a full sentence that is understood without the conversation: names in place of "he" or "I", dates in
        place of "tomorrow". Never remember passwords or numbers of cards.)"_folded,
    .arguments = R"({
        "type": "object",
        "properties": {
            "text": {
                "type": "string",
                "minLength": 1,
                "maxLength": 1000,
                "description": "The fact: Ann's dog is called Rex."
            },
            "days": {
                "type": "integer",
                "minimum": 1,
                "maximum": 3650,
                "description": "After so many days it is forgotten; not written = it stays."
            }
        },
        "required": ["text"],
        "additionalProperties": false
    })",
    .risk = risk::medium,
    .run = run_remember,
};

} // namespace postrider::agent
