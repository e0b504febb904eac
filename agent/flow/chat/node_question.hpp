#pragma once
// A question of a node to people, from its row in the history to what it becomes once it is over. The
// tool ask_user, the node telegram.ask and approvals ask by it; they differ in what they say.
//
//     node_question question(run, steps, std::move(draft), places);
//     auto const asked = co_await question.ask();    // a failure counts the execution as degraded
//     auto const press = co_await question.wait();
//     question.close(*press);                        // held, with the row of what was pressed
//     co_await question.show("→ Ban");               // in the place of the buttons
//
// What is asked, and what is pressed, stand in the history: people and models read later what it was.
#include "agent/flow/node_run.hpp"
#include "agent/speech/question.hpp"

#include <cstdint>
#include <optional>
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

class node_question {
public:
    // The run outlives it. What the node knows is filled in: the question's row, whose words count. A
    // silent execution asks without a row; in a conversation of the chat API the rows are the messenger's,
    // as people see them.
    node_question(node_run& run, queue::workflow steps, agent::question draft, asked_places places);

    // Errors as agent::ask(); throws queue::not_here.
    base::awaitable<base::result<void>> ask();
    // The two halves of it.
    base::awaitable<base::result<void>> open();
    base::awaitable<base::result<void>> send();

    // timeout, or stale: another message came. Also timeout: a press of what is no button.
    base::awaitable<base::result<press>> wait();
    // Presses no longer answer it; with the row of what was pressed.
    void close(std::optional<press> const& press);
    // Shows how it ended: the buttons go, and the outcome stands below the text. `text` replaces the question's
    // own.
    base::awaitable<void> show(std::string outcome);
    base::awaitable<void> show(std::string text, std::string outcome);

    agent::question const& question() const noexcept { return question_; }
    asked_question const& asked() const noexcept { return *asked_; }
    asking services() const noexcept;

private:
    void keep_press(press const& press, std::string text);
    std::string text_of(press const& press) const;

    node_run& run_;
    queue::workflow steps_;
    agent::question question_;
    asked_places places_;
    std::optional<asked_question> asked_; // once it is open
};

} // namespace postrider::agent::flow
