#include "agent/todo/confirmed.hpp"

#include "agent/language/lexicon.hpp"
#include "agent/language/reading/understand.hpp"
#include "agent/todo/task_definitions.hpp"
#include "base/ids.hpp"
#include "base/json/json.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::todo {

namespace json = boost::json;

namespace {

constexpr std::string_view member = "confirmed";

// When something is due plays no part here.
request understood(std::string_view message) {
    static auto const utc = base::find_time_zone("UTC").value();
    auto request = language::understand(message, base::sys_time(), utc);
    if (request.doubtful) request.intents.clear();
    return request;
}

bool is_confirmed_change(intent const& intent) {
    bool const renames = intent.action == intent::kind::update;
    return intent.confirmed &&
           (intent.action == intent::kind::remove || (renames && !intent.title.empty()));
}

confirmed_call call_for(intent const& intent, task_id target) {
    confirmed_call call{
        .tool = std::string(delete_tool), .task = target, .title = {}, .priority = {}};
    if (intent.action != intent::kind::update) return call;
    call.tool = update_tool;
    call.title = intent.title;
    if (intent.urgency) call.priority = to_string(*intent.urgency);
    return call;
}

// Goes through a message as it will be carried out: what a part of it means depends on those before.
class confirmation_reader {
public:
    // What is confirmed is done at once, so no task is found by a slip or by its verb alone.
    confirmation_reader(conversation_view const& view, std::string_view language) : view_(view) {
        view_.verbs_name_nothing = language::begins_titles_with_verbs(language);
        view_.slips_name_nothing = true;
    }

    void take(intent const& intent) {
        using kind = intent::kind;
        if (intent.action == kind::list) lists_ = true;
        if (intent.action == kind::create) names_tasks_ = unclear_ = true;
        bool const is_of_a_task = intent.action == kind::get || intent.action == kind::update ||
                                  intent.action == kind::complete || intent.action == kind::remove;
        if (is_of_a_task) take_task(intent);
        names_tasks_ |= intent.action == kind::update;
    }
    // Of a task that two parts of the message change a yes to either is in doubt: "delete 3, sure.
    // Complete 3 instead".
    std::vector<confirmed_call> finish() {
        std::erase_if(confirmed_, [&](auto const& call) {
            return std::ranges::count(changed_, call.task) > 1;
        });
        return std::move(confirmed_);
    }

private:
    void take_task(intent const& intent) {
        if (!is_known(intent.task)) {
            unclear_ = true;
            return;
        }
        for (auto const& resolved : resolve_all(intent.task, view_)) {
            auto const* target = std::get_if<task>(&resolved);
            unclear_ = target == nullptr;
            if (!target) continue;
            view_.mentioned = target->id;
            if (mutates(intent.action)) changed_.push_back(target->id);
            if (is_confirmed_change(intent)) confirmed_.push_back(call_for(intent, target->id));
        }
    }

    // Not what the message itself will change.
    bool is_known(task_reference const& reference) const {
        switch (reference.by) {
        case task_reference::kind::position:
        case task_reference::kind::from_end:
            return !lists_;
        case task_reference::kind::mentioned:
            return !unclear_ && (view_.mentioned || !lists_);
        case task_reference::kind::title:
            return !names_tasks_;
        default:
            return true;
        }
    }

    conversation_view view_;
    bool lists_ = false;
    bool names_tasks_ = false;
    bool unclear_ = false;         // "it" is no task that is known
    std::vector<task_id> changed_; // once for each part of the message that changes it
    std::vector<confirmed_call> confirmed_;
};

} // namespace

bool confirms(std::string_view message) {
    return std::ranges::any_of(understood(message).intents, is_confirmed_change);
}

std::vector<confirmed_call> confirmed_by(std::string_view message, conversation_view const& view) {
    auto const request = understood(message);
    confirmation_reader reader(view, request.language);
    for (auto const& intent : request.intents) reader.take(intent);
    return reader.finish();
}

json::object settings_of(std::vector<confirmed_call> const& confirmed, std::string_view tool) {
    json::array calls;
    for (auto const& call : confirmed) {
        if (call.tool != tool) continue;
        json::object arguments{{"task_id", base::raw(call.task)}};
        if (!call.title.empty()) arguments["title"] = call.title;
        if (!call.priority.empty()) arguments["priority"] = call.priority;
        calls.push_back(std::move(arguments));
    }
    json::object settings;
    if (!calls.empty()) settings[member] = std::move(calls);
    return settings;
}

bool is_confirmed(json::object const& settings, json::object const& arguments) {
    auto const* calls = settings.if_contains(member);
    if (!calls || !calls->is_array()) return false;
    return std::ranges::any_of(calls->get_array(), [&](json::value const& call) {
        auto const& confirmed_call = call.as_object();
        // Nothing else comes along with it, such as another due date; but for the title by which a
        // task is deleted.
        bool const names_task = !confirmed_call.contains("title") && arguments.contains("title");
        return confirmed_call.size() + (names_task ? 1 : 0) == arguments.size() &&
               std::ranges::all_of(confirmed_call, [&](auto const& argument) {
                   auto const* value = arguments.if_contains(argument.key());
                   return value && *value == argument.value();
               });
    });
}

} // namespace postrider::agent::todo
