#include "agent/todo/rules_turn.hpp"

#include "agent/language/assent.hpp"
#include "agent/language/reading/understand.hpp"
#include "agent/loop/speaker.hpp"
#include "agent/todo/dialogue.hpp"
#include "agent/todo/planner.hpp"
#include "agent/todo/task_definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace postrider::agent::todo {

namespace {

using kind = intent::kind;

bool names_a_number(task_reference const& reference) {
    return reference.by == task_reference::kind::id ||
           reference.by == task_reference::kind::position ||
           reference.by == task_reference::kind::from_end;
}

bool is_unknown(intent const& intent) {
    return intent.action == kind::unknown;
}

bool names_a_task(task_reference const& reference) {
    return reference.by != task_reference::kind::none && reference.by != task_reference::kind::all;
}

// The task that an answer to "which one?" names. A yes names the only one that came near.
std::optional<task_reference> choice_in(std::string_view text, open_question const& open) {
    switch (assent_of(text)) {
    case assent::yes:
        if (open.offered != 1) return std::nullopt;
        return task_reference{task_reference::kind::position, 1};
    case assent::no:
        return std::nullopt;
    case assent::neither:
        break;
    }
    return language::understand_choice(text);
}

// The request that was asked about, with the task that was named now.
std::optional<intent> completed(open_question const& open, rules_turn const& turn) {
    auto const chosen = choice_in(turn.messages.back().content, open);
    if (!chosen || !names_a_task(*chosen)) return std::nullopt;
    auto request = language::understand(open.message, turn.now, turn.zone);
    auto const is_open = [&](intent const& candidate) {
        return candidate.action == open.action && candidate.task.by != task_reference::kind::id;
    };
    auto const intent = std::ranges::find_if(request.intents, is_open);
    if (intent == request.intents.end()) return std::nullopt;
    // Of two renamings it is not known whose title is meant.
    bool const is_single = std::none_of(std::next(intent), request.intents.end(), is_open);
    if (open.action == kind::update && !is_single) return std::nullopt;
    intent->task = *chosen;
    intent->confirmed = false; // the task was named only now
    return std::move(*intent);
}

// "what is 12 * 3?" may name a task, or ask nothing of the todo agent.
bool only_names_something(request const& request) {
    return std::ranges::all_of(request.intents, [](intent const& intent) {
        return intent.action == kind::get && intent.task.by == task_reference::kind::title &&
               !intent.task.exact;
    });
}

rules_reply say(std::string text, bool understood = true) {
    rules_reply said;
    said.reply.text = std::move(text);
    said.understood = understood;
    return said;
}

std::string with_examples(std::string_view text, replies const& words) {
    return fmt::format("{} {}", text, words.examples);
}

std::optional<rules_reply> courtesy(request const& request, replies const& words) {
    if (!std::ranges::all_of(request.intents, [](intent const& intent) {
            return intent.action == kind::greeting || intent.action == kind::thanks ||
                   intent.action == kind::help;
        }))
        return std::nullopt;
    switch (request.intents.front().action) {
    case kind::greeting:
        return say(with_examples(words.hello, words));
    case kind::thanks:
        return say(words.welcome);
    default:
        return say(words.examples);
    }
}

rules_reply misunderstood(
    request const& request,
    std::string_view text,
    bool was_asked,
    bool has_begun,
    replies const& words
) {
    auto const answered = assent_of(text);
    if (was_asked && answered == assent::no) return say(words.kept);
    if (was_asked && answered == assent::yes)
        return say(fmt::format("{} {}", words.ask_which, words.say_which));
    if (answered != assent::neither) return say(words.nothing_waits);
    if (request.doubtful) return say(words.doubtful);
    if (text.size() > language::longest_message) {
        return say(
            in_words(words.message_too_long, language::longest_message, longest_task_title()), false
        );
    }
    // What a model did before is told by whoever checks the answer.
    if (has_begun) return say(words.unfinished, false);
    return say(with_examples(words.not_understood, words), false);
}

} // namespace

rules_reply next_reply(rules_turn const& turn) {
    auto const messages = turn.messages;
    auto const last =
        std::ranges::find(messages.rbegin(), messages.rend(), role::user, &chat_message::role);
    if (last == messages.rend()) return say(replies_in("en").examples, false);
    auto const behind = static_cast<std::size_t>(messages.rend() - last);
    auto const question = messages.first(behind);
    auto const rounds = messages.subspan(behind);
    auto const& request_text = question.back().content;

    auto const language = language_of(question, question.back().speaker);
    auto const& words = replies_in(language.empty() ? turn.usual_language : language);
    auto context = read_dialogue(question.first(behind - 1), question.back().speaker);
    auto request = language::understand(
        request_text,
        turn.now,
        turn.zone,
        language_of(question.first(behind - 1), question.back().speaker)
    );
    auto& first = request.intents.front();
    if (is_unknown(first) && !request.doubtful) {
        if (context.question) {
            if (auto intent = completed(*context.question, {question, turn.now, turn.zone}))
                first = std::move(*intent);
        } else if (auto named = language::understand_choice(request_text);
                   named && names_a_number(*named)) {
            first = {.action = kind::get, .task = std::move(*named)}; // "task 3"
        }
    }
    if (std::ranges::all_of(request.intents, is_unknown))
        return misunderstood(
            request, request_text, context.question.has_value(), !rounds.empty(), words
        );
    if (rounds.empty())
        if (auto answer = courtesy(request, words)) return std::move(*answer);
    rules_reply reply;
    reply.understood = !only_names_something(request);
    planner plan({request, std::move(context), rounds, turn.now, turn.zone, words});
    reply.reply = plan.next();
    return reply;
}

} // namespace postrider::agent::todo
