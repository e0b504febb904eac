#pragma once
// What a node asks people, and what they answer by a button, as messages of the history: people and
// models read later what was asked.
#include "agent/flow/node_run.hpp"
#include "agent/talk/question.hpp"

#include <cstdint>
#include <string>

namespace postrider::agent::flow {

// How many of a node's places a question takes that has an answer: see asked_places.
inline constexpr int places_of_question = 2;

// Of the question and of the press that answers it, among the messages of the execution's lane.
struct asked_places {
    std::int64_t question = 0;
    std::int64_t press = 0;
};
// From the node's k-th message on.
asked_places places_from(node_run const& run, int k);

// Gives the question its row: in the history of the chat where it is asked. A silent execution has none.
// In a conversation of the chat API both stand already, as people see them (postrider.conversation_send).
void put_into_history(node_run& run, question& question, std::int64_t place);

// Holds the row of what was pressed in the execution's own chat, for the next commit.
void keep_press(
    node_run& run, user_id by, std::string const& name, std::string text, std::int64_t place
);

} // namespace postrider::agent::flow
