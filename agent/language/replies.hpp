#pragma once
// What the rules say, in the languages that they understand: a member of each file in languages/. The English
// sentences of the decision table are exact; the others say the same.
//
// In braces stands what a sentence is about: {0} is a task's number where there is one, or else its title.
#include "agent/language/request.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace postrider::agent::language {

struct replies {
    // What was done.
    std::string created, completed, deleted;  // {0}: title
    std::string renamed;                      // {0}: number, {1}: title
    std::string changed;                      // {2}: what
    std::string due, no_due, priority, title; // labels: "due: {0}"
    std::array<std::string, 3> priorities;    // low, medium, high
    std::string nothing_changed, nothing_else_changed;

    // What a person is asked. A clear yes or no answers it: so it says.
    std::string may_delete, may_rename, may_change;
    std::string which_get, which_rename, which_change, which_complete, which_remove, ask_which;
    std::string say_which; // behind one of these
    std::string what_to_add;
    std::string what_to_call; // {0}: number

    // What is shown.
    std::string details; // number, title, status, priority
    std::string open, done;
    std::string detail_due; // a line behind the details
    std::string line_due;
    std::string more; // {0}: how many
    std::string empty_list, none_today, none_tomorrow, none_this_week, none_high;
    std::string none_open, none_completed, none_overdue;
    std::string none_then;   // of other days than today
    std::string unread_days; // {0}: words that are no days
    std::string none_found;  // {0}: words

    // Why nothing was done.
    std::string unknown_id, gone; // {0}: number
    std::string no_place, no_list, nothing_mentioned, not_all;
    std::string no_title;           // {0}: what was said
    std::string too_long;           // {0}: most, {1}: how many
    std::string is_there;           // number, title
    std::string passed, passed_for; // {0}: number
    std::string unread_time, no_repetition;
    std::string stays, stays_unanswered, stays_unclear, untouched; // {0}: number
    std::string not_renamed;                                       // number, title
    std::string unreadable;
    std::string doubtful, doubtful_rest, partly;
    std::string not_understood; // the examples follow
    std::string nothing_waits, kept, unfinished;
    std::string message_too_long; // {0}: bytes, {1}: characters
    std::string tasks_stay;       // behind the offer of a new conversation

    std::string hello, welcome, examples;

    std::array<std::string, 7> weekdays; // from Monday
    std::array<std::string, 12> months;
    std::string day;  // weekday, day, month, year
    std::string time; // day, "18:30"
};

// Which numbers share a form of a noun.
enum class number_forms {
    singular,    // 1, and all others
    up_to_one,   // 0 and 1, and all others
    last_digits, // 1, 21 and 101; 2 to 4, 22 and 103; all others, and 11 to 14
};
std::optional<number_forms> number_forms_named(std::string_view name) noexcept;

// By code; of an unknown one, the English.
replies const& replies_in(std::string_view language);

// A part of a sentence. Within one that is written from right to left, words of the other direction are marked as
// apart, so that what stands beside them keeps its order.
std::string set_apart(std::string_view sentence, std::string_view part);
// Without those marks, which a model does not write.
std::string without_marks(std::string_view text);

template<class Part>
auto part_of_sentence(std::string_view sentence, Part const& part) {
    if constexpr (std::is_convertible_v<Part const&, std::string_view>)
        return set_apart(sentence, part);
    else
        return part;
}

// One of them about these parts.
std::string in_words(std::string_view pattern, auto const&... parts) {
    return fmt::format(fmt::runtime(pattern), part_of_sentence(pattern, parts)...);
}

// "2026-12-24T18:00:00+01:00" as people write it; what is no such time stays as it is.
std::string due_text(std::string_view due, replies const& words);

} // namespace postrider::agent::language
