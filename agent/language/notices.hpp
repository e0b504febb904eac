#pragma once
// What the engine itself says to people in a language, beside the rules of the todo agent (replies.hpp): a member
// of each file in languages/. In braces stands what a text is about.
#include "agent/language/replies.hpp"

#include <string>
#include <string_view>

namespace postrider::agent::language {

struct notices {
    // What a person is asked before tools act.
    std::string may_do, may_do_several;
    std::string answer_or_press; // how to answer where there is a chat
    std::string press;           // and where there is none
    // On buttons. In words they are a clear yes and a clear no.
    std::string approve, reject;
    std::string show_all;
    std::string no_arguments;
    std::string more_bytes; // {0}: the beginning, {1}: how many follow
    // What the question becomes. {0}: who decided
    std::string approved, approved_by, rejected, rejected_by, unanswered, withdrawn;
    std::string an_owner; // who decided, in these two
    // Of a press that counts for nothing.
    std::string not_open, not_yours;

    // Why there is no answer. {0}: when to ask again
    std::string not_set_up, limit_reached, conversation_too_long, not_accepted;
    std::string busy, slow, unreachable;
    std::string later, in_minutes; // when
    std::string after;             // likewise; {0}: "16:00"
    std::string tools_not_set_up;
    std::string empty_budget; // {0}: which one, and until when; English alone says it
    std::string went_wrong;
    std::string meanwhile; // behind one of these: what the rules can do

    // Commands: what they do, and what is said of them.
    std::string does_start, does_help, does_new, does_stop, does_usage;
    std::string help;
    std::string new_conversation;
    std::string stopped_for_new; // the same, where a turn was stopped by it
    std::string nothing_to_stop, stopped;
    std::string may_not_stop;
    std::string no_usage;
    std::string unread; // of a message that nothing can read
};

// By code; of an unknown one, the English.
notices const& notices_in(std::string_view language);

} // namespace postrider::agent::language
