#include "agent/todo/task_definitions.hpp"

#include "agent/describe/folded_text.hpp"
#include "storage/stores/tasks.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace postrider::agent::todo {

namespace json = boost::json;

namespace {

struct described_tool {
    std::string_view name;
    std::string_view title;
    std::string_view description;
    std::string_view input;
    std::string_view output;
    mcp::tool_annotations annotations;
};

// Nothing of it leaves this server.
constexpr mcp::tool_annotations reads{
    .read_only = true, .destructive = false, .idempotent = true, .open_world = false};
constexpr mcp::tool_annotations creates{
    .read_only = false, .destructive = false, .idempotent = false, .open_world = false};
constexpr mcp::tool_annotations completes{
    .read_only = false, .destructive = false, .idempotent = true, .open_world = false};
constexpr mcp::tool_annotations destroys{
    .read_only = false, .destructive = true, .idempotent = true, .open_world = false};

constexpr std::string_view task_schema = R"({
    "type": "object",
    "properties": {
        "task_id": {"type": "integer"},
        "title": {"type": "string"},
        "completed": {"type": "boolean"},
        "priority": {"type": "string", "enum": ["low", "medium", "high"]},
        "due": {"type": "string", "description": "a day such as 2026-12-24, or an instant with its offset from UTC"},
        "created_at": {"type": "string"},
        "completed_at": {"type": "string"},
        "changed": {"type": "array", "items": {"type": "string"}, "description": "after an update: what the call has set"}
    },
    "required": ["task_id", "title", "completed", "priority", "created_at"]
})";

constexpr std::string_view page_schema = R"({
    "type": "object",
    "properties": {
        "tasks": {"type": "array", "items": TASK},
        "total": {"type": "integer", "description": "how many tasks match"},
        "next": {"type": "integer", "description": "there are more: pass it as `cursor`"}
    },
    "required": ["tasks", "total"]
})";

constexpr std::string_view one_task = R"({
    "type": "object",
    "properties": {"task_id": TASK_ID},
    "required": ["task_id"],
    "additionalProperties": false
})";

// Parts that several schemas have.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> definition_parts{{
    {"TASK_ID",
     R"({"type": "integer", "minimum": 1, "maximum": 9007199254740991, "description": "the task's number"})"},
    {"TITLE", R"({"type": "string", "minLength": 1, "description": "what is to be done"})"},
    {"PRIORITY", R"({"type": "string", "enum": ["low", "medium", "high"]})"},
    {"TASK", task_schema},
}};

constexpr std::array<described_tool, 6> described{{
    {create_tool,
     "Create a task",
     R"(
        Adds a task to the person's list, and returns it with its number. Call it once for each task that
        they ask for.)"_folded,
     R"({
        "type": "object",
        "properties": {
            "title": TITLE,
            "due": {"type": "string", "description": "a day such as 2026-12-24, or a time such as 2026-12-24T09:00:00+01:00; without an offset it is the server's local time"},
            "priority": PRIORITY
        },
        "required": ["title"],
        "additionalProperties": false
    })",
     "TASK",
     creates},
    {get_tool, "Show a task", "Returns one task of the person's list.", one_task, "TASK", reads},
    {list_tool,
     "List tasks",
     R"(
        Returns the person's tasks in the order of their numbers; all of them, unless an argument narrows
        it.)"_folded,
     R"({
        "type": "object",
        "properties": {
            "status": {"type": "string", "enum": ["all", "open", "completed", "overdue"], "default": "all"},
            "search": {"type": "string", "maxLength": 200, "description": "a part of the title, in any case"},
            "priority": PRIORITY,
            "due_from": {"type": "string", "description": "due on this day, at this time, or later: 2026-12-24"},
            "due_before": {"type": "string", "description": "due before this day or time: of one day, the next one"},
            "cursor": {"type": "integer", "minimum": 0, "maximum": 9007199254740991, "description": "the `next` of the page before"},
            "limit": {"type": "integer", "minimum": 1, "default": 100}
        },
        "additionalProperties": false
    })",
     page_schema,
     reads},
    {update_tool,
     "Rename a task",
     R"(
        Gives a task another title, and another due date or priority where these are there. The old title
        is lost: ask the person first.)"_folded,
     R"({
        "type": "object",
        "properties": {
            "task_id": TASK_ID,
            "title": TITLE,
            "due": {
                "anyOf": [{"type": "string"}, {"type": "null"}],
                "description": "as for a new task; null takes it away"
            },
            "priority": PRIORITY
        },
        "required": ["task_id", "title"],
        "additionalProperties": false
    })",
     "TASK",
     destroys},
    {complete_tool,
     "Complete a task",
     R"(
        Marks a task as done, and returns it. A completed task stays as it is.)"_folded,
     one_task,
     "TASK",
     completes},
    {delete_tool,
     "Delete a task",
     R"(
        Deletes a task for good, and returns it as it was. Ask the person first. With its title the person
        sees what they agree to, and a task that is called otherwise is not deleted.)"_folded,
     R"({
        "type": "object",
        "properties": {
            "task_id": TASK_ID,
            "title": {"type": "string", "minLength": 1, "description": "the task's title as it is now"}
        },
        "required": ["task_id"],
        "additionalProperties": false
    })",
     "TASK",
     destroys},
}};

json::object parse_schema(std::string_view text) {
    std::string whole(text);
    for (auto const& [name, part] : definition_parts)
        for (auto at = whole.find(name); at != whole.npos; at = whole.find(name, at)) {
            // TASK_ID comes before TASK, and no part holds a name.
            whole.replace(at, name.size(), part);
            at += part.size();
        }
    return json::parse(whole).as_object();
}

// The bounds of the store.
void add_bounds(json::object& schema) {
    auto& properties = schema["properties"].get_object();
    if (auto* title = properties.if_contains("title"))
        title->get_object()["maxLength"] = static_cast<std::int64_t>(longest_task_title());
    if (auto* limit = properties.if_contains("limit"))
        limit->get_object()["maximum"] = storage::longest_task_page;
}

} // namespace

std::size_t longest_task_title() noexcept {
    return storage::task_title_limit;
}

mcp::tool_definition task_tool_definition(std::string_view name) {
    auto const entry = std::ranges::find(described, name, &described_tool::name);
    if (entry == described.end()) throw std::invalid_argument("no tool of the todo server");
    mcp::tool_definition definition;
    definition.name = entry->name;
    definition.title = entry->title;
    definition.description = entry->description;
    definition.input_schema = parse_schema(entry->input);
    add_bounds(definition.input_schema);
    definition.output_schema = parse_schema(entry->output);
    definition.annotations = entry->annotations;
    return definition;
}

} // namespace postrider::agent::todo
