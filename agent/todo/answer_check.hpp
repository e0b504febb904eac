#pragma once
// What a model says of the tasks, held against what the turn's tools did. Pure.
//
// A sentence that claims a change of a kind that no call of this turn made, of more tasks than it
// made, or of another task, takes the whole answer with it: a person reads what really happened
// instead. What the person asks for tells what a claim is about: a poem that was created is no task, unless
// the person asked for a task of that name. Where another tool did something, only what names a task is such a claim; "it", "both" and
// "your list" name none. That a task is done is true of one that this turn has read as done. Where the
// person's message asks for a change that was not made, an answer that does not ask back says so.
// Every change that was made is told in the words of the decision table, whether the model mentions
// it or not.
#include "agent/loop/decide.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::todo {

// `results`: of the turn, in their order; those of other tools are no concern of it.
// `asked`: the person's message; `language`: in which the changes are told.
std::string checked_answer(
    std::string answer,
    std::vector<tool_result> const& results,
    std::string_view request,
    std::string_view language
);

// As checked_answer() for what code said: only what it leaves out is added.
std::string with_confirmations(
    std::string said, std::vector<tool_result> const& results, std::string_view language
);

} // namespace postrider::agent::todo
