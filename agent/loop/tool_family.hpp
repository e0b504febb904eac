#pragma once
// Tools that belong together and speak for themselves in the turn of an agent that has them: when a person is
// asked about a call, in the answer, and by rules where no model answers. A family is one value that outlives
// all turns; each of its tools points to it. Pure.
#include "agent/loop/decide.hpp"
#include "base/time_zone.hpp"

#include <boost/json/object.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

struct turn_account {
    std::vector<tool_result> const&
        results;               // of the turn, in their order, those of other tools too
    std::string_view question; // the person's message
    std::string_view language; // "en": in which the person is told
};

// What a turn does next, as a model's reply would say it.
struct rules_turn {
    std::span<chat_message const> messages; // earlier ones, the question, the turn's rounds
    base::sys_time now;
    base::time_zone const& zone;          // of the person
    std::string_view usual_language = {}; // where none of the messages has one
};

struct rules_reply {
    chat_reply reply;
    // False: another may know better. The message asks nothing of these rules, and the reply says
    // what they can do; or it may ask something of them, and of others.
    bool understood = true;
};

class tool_family {
public:
    virtual ~tool_family() = default;

    // Messages without the turns of other people of which a model must not speak to this one.
    virtual std::vector<chat_message> without_turns_of_others(
        std::vector<chat_message> earlier, user_id speaker
    ) const = 0;

    // What a person is asked before the call runs. "": in the words that all calls have.
    virtual std::string question_about(
        std::string_view tool, boost::json::object const& arguments, std::string_view language
    ) const = 0;

    // A model's answer, held against what the turn has done: what is false is told as it is, and what was
    // left out is added.
    virtual std::string review(std::string said, turn_account const& turn) const = 0;
    // The same of what code said: it is true.
    virtual std::string complete(std::string said, turn_account const& turn) const = 0;

    virtual rules_reply next_reply(rules_turn const& turn) const = 0;

    // Told behind the offer to forget a conversation: what is not forgotten.
    virtual std::string_view note_on_kept_data(std::string_view language) const = 0;
};

} // namespace postrider::agent
