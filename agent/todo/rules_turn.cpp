#include "agent/todo/rules_turn.hpp"

#include "agent/assent.hpp"
#include "agent/todo/dialogue.hpp"
#include "agent/todo/planner.hpp"
#include "agent/todo/task_definitions.hpp"
#include "agent/todo/understand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace postrider::agent::todo {

namespace {

using kind = intent::kind;

constexpr std::string_view examples = "I keep your tasks. Try:\n"
                                      "• add buy milk\n"
                                      "• remind me to call Ann tomorrow at 9\n"
                                      "• what's on my list?\n"
                                      "• show task 1\n"
                                      "• rename task 1 to buy oat milk\n"
                                      "• done with the milk\n"
                                      "• delete task 1";

bool names_a_number(task_reference const& reference) {
    return reference.by == task_reference::kind::id ||
           reference.by == task_reference::kind::position ||
           reference.by == task_reference::kind::from_end;
}

bool is_unknown(intent const& wish) {
    return wish.action == kind::unknown;
}

bool names_a_task(task_reference const& reference) {
    return reference.by != task_reference::kind::none && reference.by != task_reference::kind::all;
}

// The task that an answer to "which one?" names. A yes names the only one that came near.
std::optional<task_reference> choice_in(std::string_view said, open_question const& open) {
    switch (assent_of(said)) {
    case assent::yes:
        if (open.offered != 1) return std::nullopt;
        return task_reference{task_reference::kind::position, 1};
    case assent::no:
        return std::nullopt;
    case assent::neither:
        break;
    }
    return understand_choice(said);
}

// The request that was asked about, with the task that was named now.
std::optional<intent> completed(open_question const& open, rules_turn const& turn) {
    auto const chosen = choice_in(turn.messages.back().content, open);
    if (!chosen || !names_a_task(*chosen)) return std::nullopt;
    auto request = understand(open.message, turn.now, turn.zone);
    auto const is_open = [&](intent const& known) {
        return known.action == open.action && known.task.by != task_reference::kind::id;
    };
    auto const wish = std::ranges::find_if(request.intents, is_open);
    if (wish == request.intents.end()) return std::nullopt;
    // Of two renamings it is not known whose title is meant.
    bool const is_single = std::none_of(std::next(wish), request.intents.end(), is_open);
    if (open.action == kind::update && !is_single) return std::nullopt;
    wish->task = *chosen;
    wish->confirmed = false; // the task was named only now
    return std::move(*wish);
}

// "what is 12 * 3?" may name a task, or ask nothing of the todo agent.
bool only_names_something(request const& request) {
    return std::ranges::all_of(request.intents, [](intent const& wish) {
        return wish.action == kind::get && wish.task.by == task_reference::kind::title &&
               !wish.task.exact;
    });
}

rules_reply say(std::string text, bool understood = true) {
    rules_reply said;
    said.reply.text = std::move(text);
    said.understood = understood;
    return said;
}

std::optional<rules_reply> courtesy(request const& request) {
    if (!std::ranges::all_of(request.intents, [](intent const& wish) {
            return wish.action == kind::greeting || wish.action == kind::thanks ||
                   wish.action == kind::help;
        }))
        return std::nullopt;
    switch (request.intents.front().action) {
    case kind::greeting:
        return say("Hello! " + std::string(examples));
    case kind::thanks:
        return say("You are welcome.");
    default:
        return say(std::string(examples));
    }
}

rules_reply misunderstood(
    request const& request, std::string_view said, bool was_asked, bool has_begun
) {
    auto const answered = assent_of(said);
    if (was_asked && answered == assent::no) return say("I changed nothing.");
    if (was_asked && answered == assent::yes) return say("Which one? Say its number or its title.");
    if (answered != assent::neither) return say("There is nothing that waits for a yes or a no.");
    if (request.doubtful)
        return say(
            "I am not sure what you want, so I changed nothing. Say it in a sentence of its own, "
            "such as \"complete task 2\"."
        );
    if (said.size() > longest_message)
        return say(
            fmt::format(
                "That is too long for me: I understand messages of up to {} bytes, and the title "
                "of a task has at most {} characters.",
                longest_message,
                longest_task_title()
            ),
            false
        );
    // What a model did before is told by whoever checks the answer.
    if (has_begun) return say("I could not finish that: my language model does not answer.", false);
    return say("I did not understand that. " + std::string(examples), false);
}

} // namespace

rules_reply next_reply(rules_turn const& turn) {
    auto const all = turn.messages;
    auto const last = std::ranges::find(all.rbegin(), all.rend(), role::user, &chat_message::role);
    if (last == all.rend()) return say(std::string(examples), false);
    auto const behind = static_cast<std::size_t>(all.rend() - last);
    auto const question = all.first(behind);
    auto const rounds = all.subspan(behind);
    auto const& said = question.back().content;

    auto known = read_dialogue(question.first(behind - 1), question.back().speaker);
    auto request = understand(said, turn.now, turn.zone);
    auto& first = request.intents.front();
    if (is_unknown(first) && !request.doubtful) {
        if (known.question) {
            if (auto wish = completed(*known.question, {question, turn.now, turn.zone}))
                first = std::move(*wish);
        } else if (auto named = understand_choice(said); named && names_a_number(*named)) {
            first = {.action = kind::get, .task = std::move(*named)}; // "task 3"
        }
    }
    if (std::ranges::all_of(request.intents, is_unknown))
        return misunderstood(request, said, known.question.has_value(), !rounds.empty());
    if (rounds.empty())
        if (auto answer = courtesy(request)) return std::move(*answer);
    rules_reply next;
    next.understood = !only_names_something(request);
    planner plan({request, std::move(known), rounds, turn.now, turn.zone});
    next.reply = plan.next();
    return next;
}

} // namespace postrider::agent::todo
