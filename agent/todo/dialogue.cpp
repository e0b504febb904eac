#include "agent/todo/dialogue.hpp"

#include "agent/loop/speaker.hpp"
#include "agent/todo/task_definitions.hpp"
#include "agent/todo/task_words.hpp"
#include "agent/todo/told_tasks.hpp"
#include "base/ids.hpp"
#include "base/json/json.hpp"

#include <algorithm>
#include <map>

namespace postrider::agent::todo {

namespace {

using kind = intent::kind;

bool calls_task_tool(chat_message const& message) {
    return std::ranges::any_of(message.calls, [](tool_call const& call) {
        return is_task_tool(call.name);
    });
}

class reader {
public:
    explicit reader(user_id speaker) : speaker_(speaker) {}

    void take(chat_message const& message) {
        if (message.role == role::user) is_own_ = are_same(message.speaker, speaker_);
        if (!is_own_) return;
        switch (message.role) {
        case role::user:
            said_ = message.content;
            found_.question.reset();
            break;
        case role::assistant:
            for (auto const& call : message.calls) calls_.insert_or_assign(call.id, call);
            if (message.calls.empty()) take_answer(message.left_open);
            break;
        case role::tool:
            take_result(message);
            break;
        case role::system:
            break;
        }
    }
    dialogue take_all() { return std::move(found_); }

private:
    void take_answer(boost::json::value const& json) {
        base::json_reader const open(json);
        if (open["missed"].boolean_or(false)) found_.mentioned.reset();
        auto const action = language::action_named(open["asks"].string_or(""));
        if (!action) return;
        std::vector<task_id> offered;
        for (auto const& id : open["offered"].items_or_none())
            offered.push_back(task_id{id.int64_or(0)});
        found_.question = open_question{*action, said_, offered.size()};
        found_.mentioned.reset();
        if (!offered.empty()) found_.shown = std::move(offered);
    }

    void take_result(chat_message const& message) {
        auto const call = calls_.find(message.call_id);
        if (call == calls_.end() || !is_task_tool(call->second.name)) return;
        if (call->second.name == list_tool) {
            if (!message.is_error && call->second.by != call_author::lookup)
                take_list(message.content);
            return;
        }
        auto const reported = message.is_error ? std::nullopt : task_in(message.content);
        // Also what was not done was spoken of.
        auto const id =
            reported ? reported->task.id
                     : task_id{base::json_reader(call->second.arguments)["task_id"].int64_or(0)};
        if (id != task_id{})
            found_.mentioned = id;
        else
            found_.mentioned.reset(); // one that could not be created
    }

    void take_list(std::string_view result) {
        auto const listed = list_in(result);
        if (!listed) return;
        found_.shown.clear();
        for (auto const& entry : listed->tasks) found_.shown.push_back(entry.task.id);
    }

    user_id speaker_;
    bool is_own_ = true; // the turn
    dialogue found_;
    std::string said_;
    std::map<std::string, tool_call, std::less<>> calls_;
};

} // namespace

boost::json::value to_json(left_open const& open) {
    boost::json::object object;
    if (open.asks) {
        object["asks"] = to_string(*open.asks);
        boost::json::array offered;
        for (auto const id : open.offered) offered.push_back(base::raw(id));
        object["offered"] = std::move(offered);
    }
    if (open.missed) object["missed"] = true;
    return object.empty() ? boost::json::value() : boost::json::value(std::move(object));
}

dialogue read_dialogue(std::span<chat_message const> earlier, user_id speaker) {
    reader from(speaker);
    for (auto const& message : earlier) from.take(message);
    return from.take_all();
}

std::vector<chat_message> without_tasks_of_others(
    std::vector<chat_message> earlier, user_id speaker
) {
    auto const is_begin = [](chat_message const& message) { return message.role == role::user; };
    auto kept = earlier.begin();
    for (auto turn = earlier.begin(); turn != earlier.end();) {
        auto const end = std::find_if(turn + 1, earlier.end(), is_begin);
        bool const own = !is_begin(*turn) || are_same(turn->speaker, speaker);
        if (own || std::none_of(turn, end, calls_task_tool))
            kept = kept == turn ? end : std::move(turn, end, kept);
        turn = end;
    }
    earlier.erase(kept, earlier.end());
    return earlier;
}

std::string which_question(intent const& intent, replies const& words) {
    switch (intent.action) {
    case kind::get:
        return words.which_get;
    case kind::update:
        return renames(intent) ? words.which_rename : words.which_change;
    case kind::complete:
        return words.which_complete;
    case kind::remove:
        return words.which_remove;
    default:
        return words.ask_which;
    }
}

} // namespace postrider::agent::todo
