#pragma once
// What the engine itself says to people in a language, beside the rules of the todo agent (replies.hpp): a member
// of each file in languages/. In braces stands what a text is about.
#include "agent/language/replies.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::language {

// A noun with its number, {0}, in each form that its language has: "1 token", "2 tokens".
using counted_noun = std::vector<std::string>;

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
    std::string does_start, does_help, does_new, does_stop, does_usage, does_approvals,
        does_settings, does_memory, does_knowledge;
    std::string help;
    std::string new_conversation;
    std::string stopped_for_new; // the same, where a turn was stopped by it
    std::string nothing_to_stop, stopped;
    std::string answer_stopped; // behind what was said until then
    std::string may_not_stop;
    std::string no_usage;
    // Of /memory: that nothing is remembered, and the beginning of the list.
    std::string no_memories, my_memories;
    // Of /knowledge. {0}: the document, or the collection, {1}: the collection, or why
    std::string how_to_add_document, may_not_add_documents, no_collection;
    std::string document_is_read, document_ready, document_failed;
    std::string document_stopped; // why, of one whose job did not come to its end
    std::string unread;           // of a message that nothing can read
    std::string too_large; // of a file that the messenger does not give. {0}: the name, {1}: the MB

    // Of /approvals. {0}: tool and arguments, {1}: when
    std::string no_approvals, approvals_wait, approval_line, how_to_approve;
    std::string approvals_unread;

    // Of /settings. {0}: what the person said or has set, {1}: the time there, or all languages
    std::string timezone_is, no_timezone, language_is, no_language;
    std::string how_to_set;
    std::string no_such_timezone, no_such_language, no_such_setting;
    std::string no_settings;
    // Of the language itself.
    std::string own_name, english_name;

    // What an agent has to say where its model says nothing, or only a part.
    std::string no_answer, declined, cut_short, never_began;
    std::string cut_off, ended_early;      // behind what there is
    std::string unfinished, found_nothing; // what the tools returned follows the first one
    std::string found_so_far;
    std::string used, used_for_this; // {0}: tools
    std::string and_more;            // {0}: the first of them, {1}: how many follow
    // Why it goes on no longer. {0}: the tool
    std::string kept_calling, back_and_forth, nothing_new;
    std::string long_conversation; // behind an answer

    // Of /usage. {0}: calls, {1}: tokens, {2}: those read, {3}: those written
    std::string used_no_model, used_today;
    std::string not_answered_yet, not_counted_yet; // while a model is asked
    std::string used_today_for;                    // the same with {4}: what it cost
    std::string used_up;                           // {0}: the budget, {1}: when
    std::string left;                              // {0}: the budget, {1}: when, {2}: what
    std::string of_most;                           // {0}: what is left, {1}: of what
    std::string total_budget, own_budget, chat_budget;
    std::string other_budget; // {0}: "agent", {1}: its name
    counted_noun calls, tokens;
    std::string cents;
    std::string comma, decimal_mark;

    std::string too_many_messages; // {0}: messages, {1}: seconds
    counted_noun messages, seconds;
    std::string reminded_late; // {0}: when it was to come

    // Of the rules that answer where there is no model.
    std::string built_in, can_calculate;
    std::string where_tasks_are, keeps_no_tasks;
    std::string cannot_answer;
    std::string how_to_configure; // {0}: names of settings
    std::string did_not_work;     // {0}: why
    std::string time_is;          // {0}: "2026-11-23T18:00:00Z"
};

// By code; of an unknown one, the English.
notices const& notices_in(std::string_view language);

std::string counted(std::int64_t number, counted_noun const& noun, std::string_view language);

} // namespace postrider::agent::language
