#include "agent/todo/dialogue.hpp"

#include "agent/language/lexicon.hpp"
#include "agent/loop/speaker.hpp"
#include "agent/todo/task_definitions.hpp"
#include "agent/todo/task_words.hpp"
#include "agent/todo/told_tasks.hpp"
#include "base/json/json.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace postrider::agent::todo {

namespace {

using kind = intent::kind;

struct asked_which {
    kind action;
    std::string_view question;
};

std::array<asked_which, 5> questions_in(replies const& words) {
    return {
        {{kind::get, words.which_get},
         {kind::update, words.which_rename},
         {kind::update, words.which_change},
         {kind::complete, words.which_complete},
         {kind::remove, words.which_remove}}};
}

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
            if (message.calls.empty()) take_answer(message.content);
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
    void take_answer(std::string const& text) {
        for (auto const& language : language::lexicons()) take_answer(text, language.replies);
    }

    void take_answer(std::string const& text, replies const& words) {
        // "it" would be a task that was not found, and no other one.
        if (text.find(words.no_title) != text.npos) found_.mentioned.reset();
        for (auto const& [action, question] : questions_in(words)) {
            auto const at = text.find(question);
            if (at == text.npos) continue;
            auto candidates = numbers_in(std::string_view(text).substr(at));
            found_.question = open_question{action, said_, candidates.size()};
            found_.mentioned.reset();
            if (!candidates.empty()) found_.shown = std::move(candidates);
        }
    }

    void take_result(chat_message const& message) {
        auto const call = calls_.find(message.call_id);
        if (call == calls_.end() || !is_task_tool(call->second.name)) return;
        if (call->second.name == list_tool) {
            if (!message.is_error && call->second.by != call_author::lookup)
                take_list(message.content);
            return;
        }
        auto const told = message.is_error ? std::nullopt : task_in(message.content);
        // Also what was not done was spoken of.
        auto const id =
            told ? told->task.id
                 : task_id{base::json_reader(call->second.arguments)["task_id"].int64_or(0)};
        if (id != task_id{})
            found_.mentioned = id;
        else
            found_.mentioned.reset(); // one that could not be created
    }

    void take_list(std::string_view result) {
        auto const told = list_in(result);
        if (!told) return;
        found_.shown.clear();
        for (auto const& entry : told->tasks) found_.shown.push_back(entry.task.id);
    }

    user_id speaker_;
    bool is_own_ = true; // the turn
    dialogue found_;
    std::string said_;
    std::map<std::string, tool_call, std::less<>> calls_;
};

} // namespace

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

std::string which_question(intent const& wish, replies const& words) {
    if (wish.action == kind::update && !renames(wish)) return std::string(words.which_change);
    for (auto const& [action, question] : questions_in(words))
        if (action == wish.action) return std::string(question);
    return std::string(words.ask_which);
}

} // namespace postrider::agent::todo
