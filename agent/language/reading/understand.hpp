#pragma once
// What a message asks of the todo agent, by rules: no model, no network, no state. It serves every
// row of the agent's decision table in six languages, with politeness, slips of the finger and
// several intents in one message.
//
// It never changes what it was not clearly asked to change: what negates, asks, quotes, imposes a
// condition, takes back or tells of the past is not understood, and then the whole message changes
// nothing; but for a request that is told apart from what it refuses ("don't delete task 3, complete
// it"), one that takes the place of another ("add cake, no, add pie"), and a task that is to be
// added if it is not there yet. Pure; at most some milliseconds for a message of any length;
// threads: any. Bytes that are no UTF-8 count as blanks.
#include "agent/language/lexicon.hpp"
#include "agent/language/request.hpp"
#include "base/time_zone.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace postrider::agent::language {

class vocabulary;

// Longer messages are no commands and are unknown.
inline constexpr std::size_t longest_message = 8192;

// Dates are resolved in the zone of the person. `conversation`: the language of the messages before, where it is
// known; in it alone a slip or a word of several languages may begin a new task without more of the language.
request understand(
    std::string_view message,
    base::sys_time now,
    base::time_zone const& zone,
    std::string_view conversation = {}
);

// The language that a message is to be answered in: that of the rules which understood it, or else the one that
// knows most of its words; "" where none knows any.
std::string_view language_of(std::string_view message);

// The task that an answer to "which one?" names: "the milk one", "number 2", "the second". Nothing
// when it says anything else.
std::optional<task_reference> understand_choice(std::string_view message);

// A time that was said. There is no `due` where it has passed.
struct understood_time {
    std::optional<due_time> due;
};

// The words are one time and nothing else: "tomorrow at 9", "in 10 minutes". Nothing when they are
// not, as with what recurs.
std::optional<understood_time> understand_time(
    std::string_view words, base::sys_time now, base::time_zone const& zone
);

// The same in other languages.
class interpreter {
public:
    // They outlive it.
    explicit interpreter(std::span<lexicon const> languages);
    ~interpreter();
    interpreter(interpreter const&) = delete;
    interpreter& operator=(interpreter const&) = delete;

    request understand(
        std::string_view message,
        base::sys_time now,
        base::time_zone const& zone,
        std::string_view conversation = {}
    ) const;
    std::string_view language_of(std::string_view message) const;
    std::optional<task_reference> understand_choice(std::string_view message) const;
    std::optional<understood_time> understand_time(
        std::string_view words, base::sys_time now, base::time_zone const& zone
    ) const;

private:
    std::unique_ptr<vocabulary const> vocabulary_;
};

} // namespace postrider::agent::language
