#pragma once
// Claims that something was changed in this turn, in the six languages of the rules: "I've deleted it", "Milk
// removed", "the task was removed". Where the speaker is not who did it, only what names a task is a claim: the
// world has changes of its own ("Pluto was removed from the list"). A question, a negation, an offer and a condition
// claim nothing. Neither does what somebody else did ("you deleted it"), what was done some day ("deleted on
// Monday"), what holds in general ("when a task is deleted"), nor a word of a title: in quotes, in a line of a list,
// or of a task that is known. Private to agent/language. Pure.
#include "agent/language/request.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::language {

// What a text says that was done.
struct change_claims {
    std::set<intent::kind> kinds;                // create, update, complete, remove
    std::map<intent::kind, std::size_t> numbers; // "added two tasks": 2
    // In the sentences that claim a change; of a renaming no titles, since the old one is another.
    std::vector<std::string> titles; // in quotes
    std::vector<task_id> tasks;      // "#3", "task 3"
    // "Done.", "All set!": of what was asked for, whatever that is.
    bool vague = false;
};

// That the turn's results name.
struct known_task {
    std::string title = {};
    task_id id = {};
    bool done = false; // "task 3 is completed" is true of it
};

struct claim_context {
    std::vector<known_task> tasks = {};
    // Asked for and not made: "it was removed" is of that.
    std::set<intent::kind> wished = {};
    // Tools of another kind did something: "I've added it to your list" may be of them. What names a task is not,
    // except that a known task is not what was created.
    bool others_acted = false;
};

change_claims claims_in(std::string_view text, claim_context const& context = {});

// A question that its reader must answer before something is done; "anything else?" is none.
bool asks_back(std::string_view text);

} // namespace postrider::agent::language
