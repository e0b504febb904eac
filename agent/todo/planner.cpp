#include "agent/todo/planner.hpp"

#include "agent/language/lexicon.hpp"
#include "agent/language/words.hpp"
#include "agent/models/wire.hpp"
#include "agent/todo/list_arguments.hpp"
#include "agent/todo/refusal_words.hpp"
#include "agent/todo/task_definitions.hpp"
#include "agent/todo/task_words.hpp"
#include "agent/todo/told_tasks.hpp"
#include "base/ids.hpp"

#include <algorithm>

namespace postrider::agent::todo {

namespace json = boost::json;

namespace {

using kind = intent::kind;

constexpr int lookup_size = 100;
constexpr std::size_t most_lookups = 20;

bool is_about_a_task(kind action) {
    return action == kind::get || action == kind::update || action == kind::complete ||
           action == kind::remove;
}

// The tool itself says whether there is such a task, of those that can be.
bool is_found_by_its_tool(intent const& intent) {
    return intent.task.by == task_reference::kind::id && intent.task.number > 0 &&
           (intent.action == kind::get || intent.action == kind::complete);
}

tool_call call_of(std::string_view tool, json::object arguments, call_author author) {
    auto call =
        wire::call_from_object(wire::make_call_id(), std::string(tool), std::move(arguments));
    call.by = author;
    return call;
}

} // namespace

planner::planner(parts planner_parts) : from_(std::move(planner_parts)), calls_(from_.rounds) {
    std::vector<std::string> titles;
    for (auto const& intent : from_.request.intents)
        if (intent.action == kind::create && !intent.title.empty()) titles.push_back(intent.title);
    calls_.assign_creations(titles);
    for (auto const& intent : from_.request.intents)
        if (intent.action == kind::update && !intent.title.empty())
            new_titles_.push_back(intent.title);
    confirms_ = std::ranges::any_of(from_.request.intents, &intent::confirmed);
}

chat_reply planner::next() {
    chat_reply reply;
    if (needs_tasks()) {
        if (auto lookup = look_up()) return std::move(*lookup);
        add_deleted_tasks();
    }
    find_meant_tasks();
    for (auto const& intent : from_.request.intents) {
        if (stopped_) break;
        plan(intent);
    }
    if (!round_.empty()) {
        reply.stop = stop_reason::tool_calls;
        reply.calls = std::move(round_);
        return reply;
    }
    // Nobody takes for done what was passed over.
    if (from_.request.doubtful) tell_in_words(from_.words.doubtful_rest);
    if (from_.request.partly) tell_in_words(from_.words.partly);
    for (auto const& line : answer_) reply.text += (reply.text.empty() ? "" : "\n") + line;
    reply.left_open = to_json(left_open_);
    return reply;
}

bool planner::needs_tasks() const {
    return std::ranges::any_of(from_.request.intents, [](intent const& intent) {
        if (intent.unless_listed) return true;
        return is_about_a_task(intent.action) && !is_found_by_its_tool(intent) &&
               intent.task.by != task_reference::kind::none &&
               intent.task.by != task_reference::kind::all;
    });
}

// Page by page, in rounds of their own.
std::optional<chat_reply> planner::look_up() {
    json::object arguments{{"limit", lookup_size}};
    std::size_t pages = 0;
    for (auto const& call : calls_.all()) {
        if (!call.is_lookup) continue;
        auto const list = call.is_error ? std::nullopt : list_in(call.result);
        if (!list) {
            chat_reply failed;
            failed.text = call.is_error ? call.result : std::string(from_.words.unreadable);
            return failed;
        }
        for (auto const& entry : list->tasks) tasks_.push_back(entry.task);
        if (!list->next || ++pages == most_lookups) return std::nullopt;
        arguments["cursor"] = *list->next;
    }
    chat_reply reply;
    reply.stop = stop_reason::tool_calls;
    reply.calls.push_back(call_of(list_tool, std::move(arguments), call_author::lookup));
    return reply;
}

// What a model deleted before the tasks were looked up was meant by words of the request, too.
void planner::add_deleted_tasks() {
    for (auto const& call : calls_.all()) {
        if (call.is_lookup) return;
        auto const deleted =
            call.tool == delete_tool && !call.is_error ? task_in(call.result) : std::nullopt;
        if (deleted) tasks_.push_back(deleted->task);
    }
}

void planner::find_meant_tasks() {
    for (auto const& intent : from_.request.intents) {
        auto const naming = intent.task.by;
        if (naming == task_reference::kind::id) meant_.push_back(task_id{intent.task.number});
        if (naming != task_reference::kind::title && naming != task_reference::kind::position &&
            naming != task_reference::kind::from_end)
            continue;
        auto const& context = from_.known;
        for (auto const& resolved :
             resolve_all(intent.task, {tasks_, context.shown, context.mentioned}))
            if (auto const* target = std::get_if<task>(&resolved)) meant_.push_back(target->id);
    }
}

void planner::plan(intent const& intent) {
    switch (intent.action) {
    case kind::create:
        return create(intent);
    case kind::list:
        return list(intent);
    case kind::get:
    case kind::update:
    case kind::complete:
    case kind::remove:
        return act_on_task(intent);
    default:
        return;
    }
}

void planner::create(intent const& intent) {
    if (intent.title.empty()) {
        unclear_ = true;
        return tell_in_words(from_.words.what_to_add);
    }
    // One of the same name may be on its way.
    if (intent.unless_listed && round_names_tasks_) {
        stopped_ = true;
        return;
    }
    auto const number = creations_++;
    if (is_too_long(intent.title)) {
        unclear_ = true;
        return say(tell_too_long(intent.title, from_.words));
    }
    auto* const call = calls_.creation(number);
    if (!call) {
        if (auto const* open = intent.unless_listed ? find_open(intent.title) : nullptr) {
            from_.known.mentioned = open->id;
            unclear_ = false;
            return say(tell_is_there(*open, from_.words));
        }
        return request_call(create_tool, creation_arguments(intent, from_.zone), false);
    }
    tell(*call);
    unclear_ = call->is_error;
    if (call->is_error) return;
    if (intent.due_passed) tell_in_words(from_.words.passed);
    if (intent.due_unread) tell_in_words(from_.words.unread_time);
    if (intent.recurring) tell_in_words(from_.words.no_repetition);
}

task const* planner::find_open(std::string_view title) const {
    auto const name = folded(title);
    auto const entry = std::ranges::find_if(tasks_, [&](task const& candidate) {
        return !candidate.done && !is_deleted(candidate.id) && folded(candidate.title) == name;
    });
    return entry == tasks_.end() ? nullptr : &*entry;
}

void planner::list(intent const& intent) {
    if (!intent.unread.empty()) return tell_in_words(from_.words.unread_days, intent.unread);
    auto arguments = list_arguments(intent, from_.now, from_.zone);
    auto const* call = calls_.find_list(arguments);
    if (!call) return request_call(list_tool, std::move(arguments), false);
    from_.known.shown.clear();
    if (call->is_error) return say(call->result);
    auto const listed = list_in(call->result);
    if (!listed) return tell_in_words(from_.words.unreadable);
    for (auto const& entry : listed->tasks) from_.known.shown.push_back(entry.task.id);
    say(listed->tasks.empty() ? empty_list_text(intent, from_.words)
                              : lines_of(*listed, from_.words));
}

void planner::act_on_task(intent const& intent) {
    if (must_wait(intent.task)) {
        stopped_ = true;
        return;
    }
    if (is_found_by_its_tool(intent)) return act_on(intent, task_id{intent.task.number});
    if (intent.task.by == task_reference::kind::mentioned && unclear_)
        return act_on(intent, no_task{no_task::reason::nothing_mentioned});
    auto const& context = from_.known;
    // In a message that confirms, "it" may be any task that the message names.
    bool const at_once = intent.action == kind::complete || confirms_;
    auto const resolutions = resolve_all(
        intent.task,
        {tasks_,
         context.shown,
         context.mentioned,
         at_once && language::begins_titles_with_verbs(from_.request.language),
         at_once,
         intent.action == kind::complete || (intent.action == kind::update && !renames(intent))}
    );
    for (auto const& resolved : resolutions) {
        if (stopped_) return;
        act_on(intent, resolved);
    }
}

// What it means may be known only once the round is done.
bool planner::must_wait(task_reference const& reference) const {
    switch (reference.by) {
    case task_reference::kind::id:
        return false;
    case task_reference::kind::position:
    case task_reference::kind::from_end:
        return round_lists_;
    case task_reference::kind::mentioned:
        return round_names_tasks_ || round_lists_;
    default:
        return round_names_tasks_;
    }
}

void planner::act_on(intent const& intent, resolution const& resolved) {
    if (auto const* target = std::get_if<task>(&resolved)) return act_on(intent, target->id);
    if (is_done_in_other_words(intent)) return;
    unclear_ = true;
    if (auto const* refusal = std::get_if<no_task>(&resolved)) return refuse(intent, *refusal);
    ask_which(intent, std::get<which_task>(resolved));
}

// A model called the tool of this part before it failed, by its own reading of the words.
bool planner::is_done_in_other_words(intent const& intent) {
    auto const* call = calls_.find_of_model(tool_of(intent.action), meant_);
    if (call) tell(*call);
    return call != nullptr;
}

void planner::act_on(intent const& intent, task_id target) {
    from_.known.mentioned = target;
    unclear_ = false;
    auto const id = base::raw(target);
    json::object arguments{{"task_id", id}};
    if (intent.action == kind::update) add_changes(intent, target, arguments);
    if (is_done(intent, target, arguments)) return;
    if (is_deleted(target)) return tell_in_words(from_.words.gone, id);
    if (intent.action == kind::update && intent.due_passed)
        return tell_in_words(from_.words.passed_for, id);
    if (intent.action == kind::update && renames(intent) && intent.title.empty())
        return tell_in_words(from_.words.what_to_call, id);
    if (intent.action == kind::update && is_too_long(intent.title))
        return say(tell_too_long(intent.title, from_.words));
    bool const is_update = intent.action == kind::update;
    bool const for_good = is_update || intent.action == kind::remove;
    // A yes in the message itself is to a title alone.
    bool const asks = for_good && !(intent.confirmed && (!is_update || renames(intent)));
    if (asks && given_up_) return tell_in_words(from_.words.untouched, id);
    // Two changes of a task go in their order: the first may make the second void.
    if (for_good && std::ranges::find(round_targets_, target) != round_targets_.end()) {
        stopped_ = true;
        return;
    }
    round_targets_.push_back(target);
    // A yes is to the task that is shown.
    auto const named = std::ranges::find(tasks_, target, &task::id);
    if (intent.action == kind::remove && asks && named != tasks_.end())
        arguments["title"] = named->title;
    request_call(tool_of(intent.action), std::move(arguments), asks);
}

// The tool takes no change without a title: it stays as it is where none is said.
void planner::add_changes(intent const& intent, task_id target, json::object& arguments) const {
    auto const named = std::ranges::find(tasks_, target, &task::id);
    bool const keeps = !renames(intent) && named != tasks_.end();
    arguments["title"] = keeps ? named->title : intent.title;
    if (intent.due) arguments["due"] = due_argument(*intent.due, from_.zone);
    if (intent.shift && named != tasks_.end())
        arguments["due"] = shifted_due(named->due, *intent.shift, from_.now, from_.zone);
    if (intent.urgency) arguments["priority"] = to_string(*intent.urgency);
}

bool planner::is_done(intent const& intent, task_id target, json::object const& arguments) {
    auto const tool = tool_of(intent.action);
    auto const* call = intent.action == kind::update ? calls_.find_renaming(arguments, new_titles_)
                                                     : calls_.find(tool, target);
    if (call) {
        tell(*call);
        return true;
    }
    if (intent.action != kind::update)
        return calls_.has(tool, target) || is_done_to_another_task(intent);
    if (calls_.has_renaming(arguments)) return true;
    // A model took the later of two titles.
    if (intent.title.empty() || !calls_.is_renamed_by_model(target)) return false;
    tell_in_words(from_.words.not_renamed, base::raw(target), intent.title);
    return true;
}

// A model took these words for the name of another task than they are here.
bool planner::is_done_to_another_task(intent const& intent) {
    if (intent.action == kind::get || intent.task.by != task_reference::kind::title) return false;
    auto const* call = calls_.find_change_of_model(tool_of(intent.action), meant_);
    if (call) tell(*call);
    return call != nullptr;
}

bool planner::is_deleted(task_id id) const {
    return std::ranges::find(deleted_, id) != deleted_.end();
}

void planner::request_call(std::string_view tool, json::object arguments, bool asks) {
    if (!round_.empty() && asks != round_asks_) {
        stopped_ = true;
        return;
    }
    round_asks_ = asks;
    round_names_tasks_ |= tool == create_tool || tool == update_tool;
    round_lists_ |= tool == list_tool;
    round_.push_back(call_of(tool, std::move(arguments), call_author::rules));
}

} // namespace postrider::agent::todo
