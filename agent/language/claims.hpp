#pragma once
// Claims that the person's tasks were changed in this turn, in the six languages of the rules: "I've deleted it", "Milk
// removed", "the task was removed". The world has changes of its own ("Pluto was removed from the list"), and so has
// what else was talked of ("I've created a poem"). So a claim names a task, or a pronoun and nothing else, or says what
// the person asked for. Where the person asked for no change, a change of another thing is none. A question, a
// negation, an offer and a condition claim nothing. Neither does what somebody else did ("you deleted it"), what was
// done some day ("deleted on Monday"), what holds in general ("when a task is deleted"), what is a translation
// ("means: I deleted it"), nor a word of a title: in quotes, in a line of a list, or of a task that is known. Private to
// agent/language. Pure.
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
    // What the person asked for: a claim of such a change is one, whatever it names.
    std::set<intent::kind> asked = {};
    // Those of them that were not made: "it was removed" is of that.
    std::set<intent::kind> undone = {};
    // The person said something else, of no task: what is made or changed then, or is named, is hardly a task.
    bool of_else = false;
    // The person asked how it is: that the milk is no longer on the list is an answer then.
    bool asks_how_it_is = false;
    // Tools of another kind did something: "I've added it to your list" may be of them. What names a task is not,
    // except that a known task is not what was created.
    bool others_acted = false;
};

// That a message that asks for something new may ask for any work: "make a poem".
bool may_ask_for_work(std::string_view message, std::string_view title);
// "my tasks", "my list"
bool speaks_of_tasks(std::string_view message);

change_claims claims_in(std::string_view text, claim_context const& context = {});

// A question that its reader must answer before something is done; "anything else?" is none.
bool asks_back(std::string_view text);

} // namespace postrider::agent::language
