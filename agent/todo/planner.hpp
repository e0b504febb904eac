#pragma once
// From what was asked to calls and an answer, by what the turn has done so far. Private to
// agent/todo/rules_turn. Pure.
//
// It goes through the request from its beginning each time: what was done is told, what was not is
// called, in the order of the words. Calls that a person is asked about stand in a round of their own,
// so that nothing else waits for the answer; two that change one task stand in two rounds.
#include "agent/todo/dialogue.hpp"
#include "agent/todo/resolve.hpp"
#include "agent/todo/turn_calls.hpp"
#include "base/time_zone.hpp"

#include <string>
#include <vector>

namespace postrider::agent::todo {

class planner {
public:
    struct parts {
        todo::request const& request;
        dialogue known;
        std::span<chat_message const> rounds;
        base::sys_time now;
        base::time_zone const& zone;
        replies const& words; // that the person is answered in
    };
    // What the parts refer to outlives it.
    explicit planner(parts planner_parts);

    chat_reply next();

private:
    // Nothing: all tasks are known that are looked for.
    std::optional<chat_reply> look_up();
    bool needs_tasks() const;
    void add_deleted_tasks();
    void find_meant_tasks();

    void plan(intent const& intent);
    void create(intent const& intent);
    void list(intent const& intent);
    void act_on_task(intent const& intent);
    void act_on(intent const& intent, resolution const& resolved);
    void act_on(intent const& intent, task_id target);
    void ask_which(intent const& intent, which_task const& question);
    void refuse(intent const& intent, no_task const& refusal);
    void add_changes(intent const& intent, task_id target, boost::json::object& arguments) const;
    bool is_done_in_other_words(intent const& intent);
    // It is answered by what the turn has done.
    bool is_done(intent const& intent, task_id target, boost::json::object const& arguments);
    bool is_done_to_another_task(intent const& intent);
    bool must_wait(task_reference const& reference) const;
    bool is_deleted(task_id id) const;
    // Null: no open task is called so.
    task const* find_open(std::string_view title) const;

    // The call is one of the next round, unless it has to wait for another one.
    void request_call(std::string_view tool, boost::json::object arguments, bool asks);
    // What came of a call, for the person and for the rest of the request.
    void tell(turn_call const& call);
    void tell_refusal(turn_call const& call);
    void say(std::string line);
    // A sentence of theirs, about these.
    void tell_in_words(std::string_view pattern, auto const&... parts) {
        say(in_words(pattern, parts...));
    }

    parts from_;
    turn_calls calls_;
    std::vector<task> tasks_;
    std::vector<std::string> new_titles_; // that tasks are to be renamed to
    std::vector<task_id> meant_;          // that some part of the request names
    std::vector<task_id> deleted_;        // by this turn; they are in `tasks_` all the same
    bool confirms_ = false;               // the request has a part that nobody is asked about
    std::size_t creations_ = 0;           // that were asked for so far
    std::vector<tool_call> round_;
    bool round_asks_ = false;
    std::vector<task_id> round_targets_;
    bool round_names_tasks_ = false; // it creates or renames
    bool round_lists_ = false;       // it shows a list
    bool stopped_ = false;           // the rest waits for this round
    bool given_up_ = false;          // nobody answers questions any more
    bool unclear_ = false;           // "it" would be a task that was not found or not created
    std::vector<std::string> answer_;
    left_open left_open_; // by the answer
};

} // namespace postrider::agent::todo
