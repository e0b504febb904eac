#pragma once
// A task as its tools tell of it. A value.
#include "agent/language/replies.hpp"
#include "agent/language/request.hpp"

namespace postrider::agent::todo {

// What a message asks for, and what is said of it, in every language's words.
using language::due_shift;
using language::due_text;
using language::due_time;
using language::in_words;
using language::intent;
using language::list_filter;
using language::mutates;
using language::priority;
using language::renames;
using language::replies;
using language::replies_in;
using language::request;
using language::task_id;
using language::task_reference;

struct task {
    task_id id{};
    std::string title;
    bool done = false;
    priority urgency = priority::medium;
    std::string due = {}; // in the server's words: a day, or a time with its offset; "" = none
};

} // namespace postrider::agent::todo
