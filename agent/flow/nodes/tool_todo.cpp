#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/node_type.hpp"
#include "agent/flow/parts/mcp_tool.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/parts/tools.hpp"
#include "agent/mcp/in_process_caller.hpp"
#include "agent/todo/confirmed.hpp"
#include "agent/todo/dialogue.hpp"
#include "agent/todo/task_definitions.hpp"
#include "agent/todo/task_family.hpp"
#include "agent/todo/task_origin.hpp"
#include "agent/todo/task_words.hpp"
#include "agent/todo/told_tasks.hpp"

#include <array>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;

constexpr std::array todo_tool_names{
    todo::create_tool,
    todo::get_tool,
    todo::list_tool,
    todo::update_tool,
    todo::complete_tool,
    todo::delete_tool};

// A page of long titles; nothing of it may be cut, or it could not be read.
constexpr std::size_t longest_result = 512u << 10;

constexpr int most_tasks = 500; // among which a confirmed one is looked for

constexpr std::string_view nobody_here =
    "Nobody is here whose tasks these could be. Over the API a person's token says it; the owner's "
    "acts as the one owner that POSTRIDER_OWNERS names.";

constexpr base::retry_policy task_list_retries{
    .limit = 2, .delay = 1s, .timeout = 30s, .total = 60s};

// What failed for no fault of the call may be done again, under its key.
base::result<tool_output> read_result(mcp::tool_result const& result) {
    auto output = output_of(result);
    if (output) output->value = nullptr; // the text says the same
    if (output || output.error() != base::errc::refused) return output;
    auto const failed = result.error_class;
    if (failed == base::errc::ambiguous || failed == base::errc::unavailable)
        return base::error(*failed, output.error().detail);
    if (failed == base::errc::not_found)
        return base::error(base::errc::refused, output.error().detail, todo::no_such_task);
    return output;
}

base::awaitable<base::result<tool_output>> call_todo_tool(
    mcp::in_process_caller* tasks,
    std::string tool,
    json::object arguments,
    user_id caller,
    std::string key,
    json::object origin = {}
) {
    if (!tasks) co_return base::error(base::errc::unavailable, "there are no tasks here");
    if (caller == user_id{}) co_return base::error(base::errc::refused, std::string(nobody_here));
    auto const result = co_await tasks->call(
        caller, std::move(tool), std::move(arguments), std::move(key), std::move(origin)
    );
    if (!result) co_return result.error();
    co_return read_result(*result);
}

// A fork that answers nobody reminds nobody.
json::object origin_of(tool_context const& context) {
    auto const& requester = context.requester();
    auto const address = address_of(requester);
    if (requester.is_silent || !address.is_complete()) return {};
    return to_json(todo::task_origin{.at = address, .lane = context.job().lane});
}

// A question was answered already where the person's message asks for the call and confirms it.
risk risk_of_deletion(json::object const& settings, json::object const& arguments) {
    return todo::is_confirmed(settings, arguments) ? risk::low : risk::high;
}

offered_tool offer_task_tool(
    mcp::in_process_caller* tasks,
    std::string_view name,
    std::vector<todo::confirmed_call> const& confirmed
) {
    auto definition = todo::task_tool_definition(name);
    offered_tool offered;
    offered.spec = {
        definition.name, std::move(definition.description), std::move(definition.input_schema)};
    offered.kind = todo::task_tool_kind;
    offered.family = &todo::task_family();
    offered.settings = todo::settings_of(confirmed, name);
    auto const& hints = definition.annotations;
    if (hints.destructive)
        offered.risk = risk_of_deletion;
    else
        offered.risk = hints.read_only ? risk::low : risk::medium;
    offered.effect_class = hints.read_only ? queue::effect_class::pure : queue::effect_class::keyed;
    offered.result_limit = longest_result;
    offered.work =
        tool_function([tasks,
                       tool = definition.name](tool_context& context, json::object arguments) {
            return call_todo_tool(
                tasks,
                tool,
                std::move(arguments),
                context.requester().user,
                context.key(),
                origin_of(context)
            );
        });
    return offered;
}

base::awaitable<queue::step_value> list_tasks(mcp::in_process_caller* tasks, user_id caller) {
    json::object arguments{{"limit", most_tasks}};
    auto const listed = co_await call_todo_tool(
        tasks, std::string(todo::list_tool), std::move(arguments), caller, {}
    );
    if (!listed) co_return listed.error();
    co_return json::value(json::string(listed->text));
}

// Which calls the message has confirmed: only then are tasks looked for.
base::awaitable<std::vector<todo::confirmed_call>> confirmed_by_message(
    part_run& run, mcp::in_process_caller* tasks
) {
    std::vector<todo::confirmed_call> nothing_confirmed;
    auto const input = execution_input_from(run.conversation.job().input);
    if (!input || !input->heard) co_return nothing_confirmed;
    co_await run.conversation.read(bounds::history.most);
    auto const message = run.conversation.question();
    if (!run.steps.recorded(run.step) && !todo::confirms(message)) co_return nothing_confirmed;
    auto const caller = input->heard->user;
    auto list = [tasks, caller] { return list_tasks(tasks, caller); };
    auto const listed = co_await run.steps.try_step(run.step, task_list_retries, list);
    if (!listed) co_return nothing_confirmed; // then the person is asked
    auto const page = todo::list_in(std::string_view(listed->as_string()));
    // Among more tasks there may be another of that name.
    if (!page || page->next) co_return nothing_confirmed;
    std::vector<todo::task> page_tasks;
    for (auto const& entry : page->tasks) page_tasks.push_back(entry.task);
    auto const earlier = run.conversation.earlier({bounds::history.most});
    auto const dialogue = todo::read_dialogue(earlier, caller);
    co_return todo::confirmed_by(message, {page_tasks, dialogue.shown, dialogue.mentioned});
}

base::awaitable<base::result<tool_part>> make_task_tools(part_run& run) {
    auto* const tasks = run.services.servers ? run.services.servers->tasks() : nullptr;
    auto const confirmed = co_await confirmed_by_message(run, tasks);
    tool_part part;
    part.lasting = false; // what is confirmed is of this message
    for (auto const name : todo_tool_names)
        part.tools.push_back(offer_task_tool(tasks, name, confirmed));
    co_return part;
}

} // namespace

behaviour tool_todo_behaviour() {
    return part_of(ai_tool, make_task_tools);
}

} // namespace postrider::agent::flow
