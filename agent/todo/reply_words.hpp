#pragma once
// What the todo agent says, in the languages that it understands. The English sentences of the decision table
// are exact; the others say the same. A new language is one value in a file of its own in replies/ and one
// line in reply_words.cpp; a language without one is answered in English. A view of constants.
//
// In braces stands what a sentence is about: {0} is a task's number where there is one, or else its title.
#include "agent/todo/request.hpp"

#include <fmt/format.h>

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace postrider::agent::todo {

struct reply_words {
    std::string_view language; // "en"

    // What was done.
    std::string_view created, completed, deleted;  // {0}: title
    std::string_view renamed;                      // {0}: number, {1}: title
    std::string_view changed;                      // {2}: what
    std::string_view due, no_due, priority, title; // labels: "due: {0}"
    std::array<std::string_view, 3> priorities;    // low, medium, high
    std::string_view nothing_changed, nothing_else_changed;

    // What a person is asked. A clear yes or no answers it: so it says.
    std::string_view may_delete, may_rename, may_change;
    std::string_view which_get, which_rename, which_change, which_complete, which_remove, ask_which;
    std::string_view say_which; // behind one of these
    std::string_view what_to_add;
    std::string_view what_to_call; // {0}: number

    // What is shown.
    std::string_view details; // number, title, status, priority
    std::string_view open, done;
    std::string_view detail_due; // a line behind the details
    std::string_view line_due;
    std::string_view more; // {0}: how many
    std::string_view empty_list, none_today, none_tomorrow, none_this_week, none_high;
    std::string_view none_open, none_completed, none_overdue;
    std::string_view none_found; // {0}: words

    // Why nothing was done.
    std::string_view unknown_id, gone; // {0}: number
    std::string_view no_place, no_list, nothing_mentioned, not_all;
    std::string_view no_title; // the beginning alone; a title in quotes and a full stop follow
    std::string_view too_long; // {0}: most, {1}: how many
    std::string_view is_there; // number, title
    std::string_view passed, passed_for; // {0}: number
    std::string_view unread_time, no_repetition;
    std::string_view stays, stays_unanswered, stays_unclear, untouched; // {0}: number
    std::string_view not_renamed;                                       // number, title
    std::string_view unreadable;
    std::string_view doubtful, doubtful_rest, partly;
    std::string_view not_understood; // the examples follow
    std::string_view nothing_waits, kept, unfinished;
    std::string_view message_too_long; // {0}: bytes, {1}: characters

    std::string_view hello, welcome, examples;

    std::array<std::string_view, 7> weekdays; // from Monday
    std::array<std::string_view, 12> months;
    std::string_view day;  // weekday, day, month, year
    std::string_view time; // day, "18:30"
};

// By code; of an unknown one, the English.
reply_words const& reply_words_in(std::string_view language) noexcept;
std::span<reply_words const* const> all_reply_words() noexcept;

// One of them about these parts.
std::string in_words(std::string_view pattern, auto const&... parts) {
    return fmt::format(fmt::runtime(pattern), parts...);
}

// "2026-12-24T18:00:00+01:00" as people write it; what is no such time stays as it is.
std::string due_text(std::string_view due, reply_words const& words);

} // namespace postrider::agent::todo
