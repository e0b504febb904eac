#pragma once
// The tool calls that a turn has made so far, whoever chose them: what was done is not done again.
// Private to agent/todo. Pure.
#include "agent/models/model.hpp"
#include "agent/todo/task.hpp"

#include <boost/json/object.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::todo {

// That does what is asked for a task.
std::string_view tool_of(intent::kind action) noexcept;

struct turn_call {
    std::string tool;
    boost::json::object arguments;
    std::string result;
    bool is_error = false;
    std::string error_reason; // of chat_message
    bool is_lookup = false;
    bool by_rules = false;
    bool taken = false; // it is the answer to a part of the request

    task_id task() const; // that it names; 0 = none
};

class turn_calls {
public:
    // `rounds`: the turn's messages behind the question.
    explicit turn_calls(std::span<chat_message const> rounds);

    // Gives each creation that was asked for the call that made it. One that a model made in other
    // words counts for the first title that is left: rather too little is done than too much.
    void assign_creations(std::vector<std::string> const& titles);
    // Null: it was not made.
    turn_call* creation(std::size_t number) const { return creations_.at(number); }

    // A call that is not taken yet; null: none.
    turn_call* find(std::string_view tool, task_id task);
    turn_call* find_list(boost::json::object const& arguments);
    // The call that gave the task this title, whatever due date came with it. One that a model made in other words counts as well,
    // unless its words are one of `titles`: those that the request asks for.
    turn_call* find_renaming(
        boost::json::object const& arguments, std::vector<std::string> const& titles
    );
    // The same renaming with the same due date, taken or not.
    bool has_renaming(boost::json::object const& arguments) const;
    // A model gave the task another title, for another part of the request.
    bool is_renamed_by_model(task_id task) const;
    // Of a model, by its own reading of the words: a call with a task that nothing else of the request
    // means.
    turn_call* find_of_model(std::string_view tool, std::vector<task_id> const& tasks);
    // The same, of a call that did something.
    turn_call* find_change_of_model(std::string_view tool, std::vector<task_id> const& tasks);
    // Taken or not.
    bool has(std::string_view tool, task_id task) const;

    std::vector<turn_call> const& all() const noexcept { return calls_; }

private:
    turn_call* take(auto const& fits);
    static bool is_renaming(turn_call const& call, boost::json::object const& arguments);

    std::vector<turn_call> calls_;
    std::vector<turn_call*> creations_;
};

} // namespace postrider::agent::todo
