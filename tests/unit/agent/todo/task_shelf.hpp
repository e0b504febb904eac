#pragma once
// A conversation with the rules of the todo agent, with its tools in memory: what a loop around them
// does, without a database. Questions are answered as the test says.
#include "agent/todo/rules_turn.hpp"
#include "agent/todo/told_tasks.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace postrider::agent::todo {

class task_shelf {
public:
    explicit task_shelf(std::vector<std::string> titles = {});

    // The answer to a message, once all calls have run.
    std::string hear(std::string message);
    // As hear(), behind calls that a model has made in the same turn before it failed.
    std::string hear_behind(std::string message, std::vector<tool_call> round);

    std::string tasks() const; // "1 buy milk, 2 call Ann done"

    bool consents = true;           // to what is asked about
    std::vector<std::string> calls; // that changed something or asked to: "delete_todo_task 3"
    int rounds = 0;                 // of the last turn

private:
    // `reason`: of a call that fails.
    std::string run(tool_call const& call, std::string_view& reason);
    void add_round(std::vector<tool_call> round);
    std::string finish();

    std::vector<task> tasks_;
    std::int64_t last_ = 0;
    std::vector<chat_message> messages_;
};

} // namespace postrider::agent::todo
