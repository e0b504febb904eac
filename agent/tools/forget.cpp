#include "agent/tools/memory_tools.hpp"

namespace postrider::agent {

namespace {

// Of another owner's memory nobody learns that it exists.
base::awaitable<base::result<tool_output>> run_forget(
    tool_context& context, boost::json::object arguments
) {
    auto const owner = changing_memory_owner_of(context);
    if (!owner) co_return owner.error();
    auto const id = arguments.at("id").to_number<std::int64_t>();
    auto const memory =
        co_await recall::find_own_memory(*context.reads(), id, *owner, memory_deadline);
    if (!memory) co_return memory.error();
    if (!*memory)
        co_return base::error(
            base::errc::not_found, "there is no such memory here; recall lists the ids"
        );
    context.add(recall::remove_memory(id, *owner));
    context.add(receipt{"deleted", "memory", std::to_string(id), (*memory)->text});
    co_return "It is forgotten: " + (*memory)->text;
}

} // namespace

extern constinit tool const forget_tool{
    .name = "forget",
    .title = "Forget",
    .documentation = R"(
        Lets an agent delete a memory of the person in this bot, or of the group.)"_folded,
    .description = R"(
        Forgets something that you remember. Call recall first: it returns the ids. To correct a memory, forget it and
        remember what is right.)"_folded,
    .arguments = R"({
        "type": "object",
        "properties": {
            "id": {"type": "integer", "minimum": 1, "description": "The id from recall."}
        },
        "required": ["id"],
        "additionalProperties": false
    })",
    .risk = risk::medium,
    .run = run_forget,
};

} // namespace postrider::agent
