#include "agent/todo/planner.hpp"

#include "agent/language/lexicon.hpp"
#include "agent/language/words.hpp"
#include "agent/models/wire.hpp"
#include "agent/talk/verdict.hpp"
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
bool is_found_by_its_tool(intent const& wish) {
    return wish.task.by == task_reference::kind::id && wish.task.number > 0 &&
           (wish.action == kind::get || wish.action == kind::complete);
}

tool_call call_of(std::string_view tool, json::object arguments, call_author author) {
    auto call =
        wire::call_from_object(wire::make_call_id(), std::string(tool), std::move(arguments));
    call.by = author;
    return call;
}

} // namespace

void planner::tell_in_words(std::string_view pattern, auto const&... parts) {
    say(in_words(pattern, parts...));
}

planner::planner(parts planner_parts) : from_(std::move(planner_parts)), calls_(from_.rounds) {
    std::vector<std::string> titles;
    for (auto const& wish : from_.request.intents)
        if (wish.action == kind::create && !wish.title.empty()) titles.push_back(wish.title);
    calls_.assign_creations(titles);
    for (auto const& wish : from_.request.intents)
        if (wish.action == kind::update && !wish.title.empty()) new_titles_.push_back(wish.title);
    confirms_ = std::ranges::any_of(from_.request.intents, &intent::confirmed);
}

chat_reply planner::next() {
    chat_reply reply;
    if (needs_tasks()) {
        if (auto lookup = look_up()) return std::move(*lookup);
        add_deleted_tasks();
    }
    find_meant_tasks();
    for (auto const& wish : from_.request.intents) {
        if (stopped_) break;
        plan(wish);
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
    return std::ranges::any_of(from_.request.intents, [](intent const& wish) {
        if (wish.unless_listed) return true;
        return is_about_a_task(wish.action) && !is_found_by_its_tool(wish) &&
               wish.task.by != task_reference::kind::none &&
               wish.task.by != task_reference::kind::all;
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
        arguments["after"] = *list->next;
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
        auto const told =
            call.tool == delete_tool && !call.is_error ? task_in(call.result) : std::nullopt;
        if (told) tasks_.push_back(told->task);
    }
}

void planner::find_meant_tasks() {
    for (auto const& wish : from_.request.intents) {
        auto const by = wish.task.by;
        if (by == task_reference::kind::id) meant_.push_back(task_id{wish.task.number});
        if (by != task_reference::kind::title && by != task_reference::kind::position &&
            by != task_reference::kind::from_end)
            continue;
        auto const& known = from_.known;
        for (auto const& found : resolve_all(wish.task, {tasks_, known.shown, known.mentioned}))
            if (auto const* target = std::get_if<task>(&found)) meant_.push_back(target->id);
    }
}

void planner::plan(intent const& wish) {
    switch (wish.action) {
    case kind::create:
        return create(wish);
    case kind::list:
        return list(wish);
    case kind::get:
    case kind::update:
    case kind::complete:
    case kind::remove:
        return act_on_task(wish);
    default:
        return;
    }
}

void planner::create(intent const& wish) {
    if (wish.title.empty()) {
        unclear_ = true;
        return tell_in_words(from_.words.what_to_add);
    }
    // One of the same name may be on its way.
    if (wish.unless_listed && round_names_tasks_) {
        stopped_ = true;
        return;
    }
    auto const number = creations_++;
    if (is_too_long(wish.title)) {
        unclear_ = true;
        return say(tell_too_long(wish.title, from_.words));
    }
    auto* const call = calls_.creation(number);
    if (!call) {
        if (auto const* open = wish.unless_listed ? find_open(wish.title) : nullptr) {
            from_.known.mentioned = open->id;
            unclear_ = false;
            return say(tell_is_there(*open, from_.words));
        }
        return request_call(create_tool, creation_arguments(wish, from_.zone), false);
    }
    tell(*call);
    unclear_ = call->is_error;
    if (call->is_error) return;
    if (wish.due_passed) tell_in_words(from_.words.passed);
    if (wish.due_unread) tell_in_words(from_.words.unread_time);
    if (wish.recurring) tell_in_words(from_.words.no_repetition);
}

task const* planner::find_open(std::string_view title) const {
    auto const name = folded(title);
    auto const found = std::ranges::find_if(tasks_, [&](task const& known) {
        return !known.done && !is_deleted(known.id) && folded(known.title) == name;
    });
    return found == tasks_.end() ? nullptr : &*found;
}

void planner::list(intent const& wish) {
    auto arguments = list_arguments(wish, from_.now, from_.zone);
    auto const* call = calls_.find_list(arguments);
    if (!call) return request_call(list_tool, std::move(arguments), false);
    from_.known.shown.clear();
    if (call->is_error) return say(call->result);
    auto const told = list_in(call->result);
    if (!told) return tell_in_words(from_.words.unreadable);
    for (auto const& entry : told->tasks) from_.known.shown.push_back(entry.task.id);
    say(told->tasks.empty() ? empty_list_text(wish, from_.words) : lines_of(*told, from_.words));
}

void planner::act_on_task(intent const& wish) {
    if (must_wait(wish.task)) {
        stopped_ = true;
        return;
    }
    if (is_found_by_its_tool(wish)) return act_on(wish, task_id{wish.task.number});
    if (wish.task.by == task_reference::kind::mentioned && unclear_)
        return act_on(wish, no_task{no_task::reason::nothing_mentioned});
    auto const& context = from_.known;
    // In a message that confirms, "it" may be any task that the message names.
    bool const at_once = wish.action == kind::complete || confirms_;
    auto const resolutions = resolve_all(
        wish.task,
        {tasks_,
         context.shown,
         context.mentioned,
         at_once && language::begins_titles_with_verbs(from_.request.language),
         at_once}
    );
    for (auto const& found : resolutions) {
        if (stopped_) return;
        act_on(wish, found);
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

void planner::act_on(intent const& wish, resolution const& resolved) {
    if (auto const* target = std::get_if<task>(&resolved)) return act_on(wish, target->id);
    if (is_done_in_other_words(wish)) return;
    unclear_ = true;
    if (auto const* refusal = std::get_if<no_task>(&resolved)) return refuse(wish, *refusal);
    auto candidates = std::get<which_task>(resolved).candidates;
    std::erase_if(candidates, [&](task const& candidate) { return is_deleted(candidate.id); });
    if (candidates.empty()) return refuse(wish, {no_task::reason::no_title});
    say(which_question(wish, from_.words));
    left_open_.asks = wish.action;
    left_open_.offered.clear();
    for (auto const& candidate : candidates) {
        say(line_of(candidate));
        left_open_.offered.push_back(candidate.id);
    }
}

void planner::refuse(intent const& wish, no_task const& refusal) {
    say(refusal_of(wish, refusal, from_.words));
    left_open_.missed |= refusal.because == no_task::reason::no_title;
    if (refusal.because != no_task::reason::not_said) return;
    left_open_.asks = wish.action;
    left_open_.offered.clear();
}

// A model called the tool of this part before it failed, by its own reading of the words.
bool planner::is_done_in_other_words(intent const& wish) {
    auto const* call = calls_.find_of_model(tool_of(wish.action), meant_);
    if (call) tell(*call);
    return call != nullptr;
}

void planner::act_on(intent const& wish, task_id target) {
    from_.known.mentioned = target;
    unclear_ = false;
    auto const id = base::raw(target);
    json::object arguments{{"task_id", id}};
    if (wish.action == kind::update) add_changes(wish, target, arguments);
    if (is_done(wish, target, arguments)) return;
    if (is_deleted(target)) return tell_in_words(from_.words.gone, id);
    if (wish.action == kind::update && wish.due_passed)
        return tell_in_words(from_.words.passed_for, id);
    if (wish.action == kind::update && renames(wish) && wish.title.empty())
        return tell_in_words(from_.words.what_to_call, id);
    if (wish.action == kind::update && is_too_long(wish.title))
        return say(tell_too_long(wish.title, from_.words));
    bool const is_update = wish.action == kind::update;
    bool const for_good = is_update || wish.action == kind::remove;
    // A yes in the message itself is to a title alone.
    bool const asks = for_good && !(wish.confirmed && (!is_update || renames(wish)));
    if (asks && given_up_) return tell_in_words(from_.words.untouched, id);
    // Two changes of a task go in their order: the first may make the second void.
    if (for_good && std::ranges::find(round_targets_, target) != round_targets_.end()) {
        stopped_ = true;
        return;
    }
    round_targets_.push_back(target);
    // A yes is to the task that is shown.
    auto const named = std::ranges::find(tasks_, target, &task::id);
    if (wish.action == kind::remove && asks && named != tasks_.end())
        arguments["title"] = named->title;
    request_call(tool_of(wish.action), std::move(arguments), asks);
}

// The tool takes no change without a title: it stays as it is where none is said.
void planner::add_changes(intent const& wish, task_id target, json::object& arguments) const {
    auto const named = std::ranges::find(tasks_, target, &task::id);
    bool const keeps = !renames(wish) && named != tasks_.end();
    arguments["title"] = keeps ? named->title : wish.title;
    if (wish.due) arguments["due"] = due_argument(*wish.due, from_.zone);
    if (wish.urgency) arguments["priority"] = to_string(*wish.urgency);
}

bool planner::is_done(intent const& wish, task_id target, json::object const& arguments) {
    auto const tool = tool_of(wish.action);
    auto const* call = wish.action == kind::update ? calls_.find_renaming(arguments, new_titles_)
                                                   : calls_.find(tool, target);
    if (call) {
        tell(*call);
        return true;
    }
    if (wish.action != kind::update)
        return calls_.has(tool, target) || is_done_to_another_task(wish);
    if (calls_.has_renaming(arguments)) return true;
    // A model took the later of two titles.
    if (wish.title.empty() || !calls_.is_renamed_by_model(target)) return false;
    tell_in_words(from_.words.not_renamed, base::raw(target), wish.title);
    return true;
}

// A model took these words for the name of another task than they are here.
bool planner::is_done_to_another_task(intent const& wish) {
    if (wish.action == kind::get || wish.task.by != task_reference::kind::title) return false;
    auto const* call = calls_.find_change_of_model(tool_of(wish.action), meant_);
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

void planner::tell(turn_call const& call) {
    if (call.is_error) return tell_refusal(call);
    auto const reported = task_in(call.result);
    if (!reported) return say(call.result);
    from_.known.mentioned = reported->task.id;
    unclear_ = false;
    if (call.tool == get_tool) return say(details_of(*reported, from_.words));
    say(confirmation_of(call.tool, *reported, from_.words));
    auto const same = std::ranges::find(tasks_, reported->task.id, &task::id);
    // It stays known, so that its name is not taken for another task's.
    if (call.tool == delete_tool) deleted_.push_back(reported->task.id);
    if (same != tasks_.end()) {
        *same = reported->task;
    } else {
        tasks_.push_back(reported->task);
    }
}

void planner::tell_refusal(turn_call const& call) {
    auto const& words = from_.words;
    auto const id = base::raw(call.task());
    auto const verdict = verdict_of(call.error_reason);
    if (!verdict) {
        bool const is_missing = call.error_reason == no_such_task;
        return say(is_missing ? in_words(words.unknown_id, id) : call.result);
    }
    given_up_ |= *verdict != verdict::rejected;
    if (*verdict == verdict::rejected) return tell_in_words(words.stays, id);
    bool const expired = *verdict == verdict::expired;
    tell_in_words(expired ? words.stays_unanswered : words.stays_unclear, id);
}

void planner::say(std::string line) {
    answer_.push_back(std::move(line));
}

} // namespace postrider::agent::todo
