#pragma once
// Claims that something was changed in this turn, in the six languages of the rules: "I've deleted it", "the task
// was removed". A question, a negation, an offer and a condition claim nothing, and neither does what
// somebody else did ("you deleted it"), what was done some day ("deleted on Monday"), nor a word of a title:
// in quotes, in a line of a list, or of a task that is known. Private to agent/language. Pure.
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

struct claim_context {
    std::vector<std::string> titles = {}; // of the tasks that the turn's results name
    // Tools of another kind did something: "I've added a reminder" may be of them. What is said of tasks is not.
    bool others_acted = false;
};

change_claims claims_in(std::string_view text, claim_context const& context = {});

// A question that its reader must answer before something is done; "anything else?" is none.
bool asks_back(std::string_view text);

} // namespace postrider::agent::language
