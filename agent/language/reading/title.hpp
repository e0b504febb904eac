#pragma once
// A new task's title, and what else was said in the same words: when it is due, how urgent it is.
// Private to agent/language. Pure.
#include "agent/language/times/time_expression.hpp"

namespace postrider::agent::language {

struct title_place {
    // The person asks to be reminded, so that what has the form of a time is one.
    bool reminds = false;
    // More than a verb stands around the title: "new task that book", not "put that back".
    bool may_begin_with_article = false;
    // The time that was said apart, of which the target has the due date; a day or an hour in the title may complete
    // it.
    std::optional<passage> time_apart = {};
};

// Fills title, due, due_passed, due_unread, recurring and urgency. Times and urgency are taken from the two
// ends of the words and never out of a quotation; a recurring time stays where it is. The title
// stays empty when the words name nothing ("it", "a task").
void read_title(
    compiled_language const& language,
    passage words,
    wall_clock const& clock,
    intent& target,
    title_place const& place = {}
);

// A title is read from them that is a time and nothing else, or a time that is not understood.
bool is_time(compiled_language const& language, passage words, wall_clock const& clock);

// Takes urgency from the ends of the words alone: of a new title for a task.
void read_new_title(compiled_language const& language, passage words, intent& target);

// Of a place where a time is asked for. False: the words are none.
bool read_due(
    compiled_language const& language, passage words, wall_clock const& clock, intent& target
);

} // namespace postrider::agent::language
