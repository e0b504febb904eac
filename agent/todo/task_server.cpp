#include "agent/todo/task_server.hpp"

#include "agent/describe/folded_text.hpp"
#include "agent/language/words.hpp"
#include "agent/reminders/reminder.hpp"
#include "agent/talk/press.hpp"
#include "agent/todo/task_arguments.hpp"
#include "agent/todo/task_definitions.hpp"
#include "agent/todo/task_origin.hpp"
#include "base/json/text.hpp"
#include "net/digest.hpp"

#include <boost/json/array.hpp>

#include <memory>

namespace postrider::agent::todo {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using base::errc;
using base::error;
using mcp::served_call;

constexpr base::duration longest_change = 10s;
constexpr base::duration longest_look = 5s;

using tool_answer = base::result<json::object>;
using shared_services = std::shared_ptr<task_services const>;

storage::task_call task_call_of(served_call const& call, std::string_view tool) {
    storage::task_call by{.owner = call.caller, .key = call.key};
    if (!by.key.empty())
        by.digest = net::sha256_hex(std::string(tool) + '\n' + base::json_text(call.arguments));
    return by;
}

// The same of a call that may set a due date.
storage::task_call dating_call_of(
    served_call const& call, std::string_view tool, task_services const& services
) {
    auto dating = task_call_of(call, tool);
    auto const origin = task_origin_from(call.origin);
    if (!origin || !call.arguments.contains("due")) return dating;
    dating.reminding = {
        .place = place_of(origin->at),
        .lane = origin->lane,
        .input = reminder_input({}, origin->at, {}, services.zone.name()),
        .longest = longest_reminding};
    return dating;
}

// For a model, which may show it to a person.
error explained(error const& failure, bool changes) {
    switch (failure.code) {
    case errc::refused:
        return failure;
    case errc::conflict:
        return {
            errc::conflict, "Another call is changing this task: nothing was changed; try again."};
    case errc::poison:
        return {errc::invalid, "The task cannot be stored in these words."};
    case errc::ambiguous:
    case errc::timeout:
        if (changes) return {errc::ambiguous, std::string(doubtful_change)};
        break;
    default:
        break;
    }
    return {
        errc::unavailable,
        std::string(tasks_unreachable) + (changes ? ": nothing was changed." : ".")};
}

// Another person's task is one that does not exist.
tool_answer shown(
    base::result<storage::task_row> const& task,
    task_services const& services,
    storage::task_id id,
    bool changes
) {
    if (task) return to_json(*task, services.zone);
    if (task.error() == errc::not_found)
        return error(errc::not_found, "There is no task " + base::to_string(id) + '.');
    return explained(task.error(), changes);
}

// By the call alone, so that its repetition says the same.
json::array set_by(json::object const& arguments) {
    json::array names;
    for (std::string_view const name : {"title", "due", "priority"})
        if (arguments.contains(name)) names.emplace_back(name);
    return names;
}

awaitable<tool_answer> create_task(shared_services shared, served_call call) {
    auto const content = read_task_content(call.arguments, shared->zone);
    if (!content) co_return content.error();
    auto const task = co_await storage::create_task(
        shared->writes, dating_call_of(call, create_tool, *shared), *content, longest_change
    );
    co_return shown(task, *shared, {}, true);
}

awaitable<tool_answer> get_task(shared_services shared, served_call call) {
    auto const id = read_task_id(call.arguments);
    auto const task = co_await storage::read_task(shared->reads, call.caller, id, longest_look);
    co_return shown(task, *shared, id, false);
}

awaitable<tool_answer> list_tasks(shared_services shared, served_call call) {
    auto const filter = read_task_filter(call.arguments, shared->zone);
    if (!filter) co_return filter.error();
    auto const page =
        co_await storage::list_tasks(shared->reads, call.caller, *filter, longest_look);
    if (!page) co_return explained(page.error(), false);
    co_return to_json(*page, shared->zone);
}

awaitable<tool_answer> update_task(shared_services shared, served_call call) {
    auto changes = read_task_changes(call.arguments, shared->zone);
    if (!changes) co_return changes.error();
    auto const id = read_task_id(call.arguments);
    auto const task = co_await storage::change_task(
        shared->writes,
        dating_call_of(call, update_tool, *shared),
        id,
        std::move(*changes),
        longest_change
    );
    auto answer = shown(task, *shared, id, true);
    if (answer) (*answer)["changed"] = set_by(call.arguments);
    co_return answer;
}

awaitable<tool_answer> complete_task(shared_services shared, served_call call) {
    auto const id = read_task_id(call.arguments);
    auto const task = co_await storage::complete_task(
        shared->writes, task_call_of(call, complete_tool), id, longest_change
    );
    co_return shown(task, *shared, id, true);
}

// Who agreed to it was shown this title. A task that is not there any more may be this call's own work,
// whose answer was lost: its record says so.
awaitable<base::result<void>> check_title(shared_services shared, served_call const& call) {
    auto const* shown_title = call.arguments.if_contains("title");
    if (!shown_title || !shown_title->is_string()) co_return base::result<void>();
    auto const id = read_task_id(call.arguments);
    auto const current = co_await storage::read_task(shared->reads, call.caller, id, longest_look);
    if (!current && current.error() != errc::not_found) co_return explained(current.error(), true);
    if (!current || folded(current->title) == folded(shown_title->get_string()))
        co_return base::result<void>();
    co_return error(
        errc::conflict,
        "Task " + base::to_string(id) + " is called \"" + current->title +
            "\" now, so it was not deleted."
    );
}

awaitable<tool_answer> remove_task(shared_services shared, served_call call) {
    if (auto const same = co_await check_title(shared, call); !same) co_return same.error();
    auto const id = read_task_id(call.arguments);
    auto const task = co_await storage::delete_task(
        shared->writes, task_call_of(call, delete_tool), id, longest_change
    );
    co_return shown(task, *shared, id, true);
}

using tool_work = awaitable<tool_answer> (*)(shared_services, served_call);

mcp::served_tool tool(std::string_view name, tool_work work, shared_services const& shared) {
    return {task_tool_definition(name), [work, shared](served_call call) {
                return work(shared, std::move(call));
            }};
}

} // namespace

mcp::server_description make_task_server(task_services services, std::string version) {
    auto const shared = std::make_shared<task_services const>(services);
    mcp::server_description description;
    description.name = "postrider-todo";
    description.title = "Tasks";
    description.version = std::move(version);
    description.instructions = R"(
        The tasks of one person, who is known from the connection. A task has a number; list the tasks
        to find it. Before a task is deleted or renamed, ask the person, unless they have confirmed it.
        Report only what a tool has returned.)"_folded;
    description.tools = {
        tool(create_tool, create_task, shared),
        tool(get_tool, get_task, shared),
        tool(list_tool, list_tasks, shared),
        tool(update_tool, update_task, shared),
        tool(complete_tool, complete_task, shared),
        tool(delete_tool, remove_task, shared)};
    return description;
}

} // namespace postrider::agent::todo
