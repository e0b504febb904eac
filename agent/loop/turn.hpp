#pragma once
// One turn of an agent as a state machine: it hears what a model says and tells what to do about it. Free of
// I/O; flow/run/agent_run performs it.
//
// Where a call of a tool is required and the model makes none, it is told so once. Where people see only what
// tools send, the answer is empty. Fixed rules, which answer
// where no model does, begin with a clean state: they end by themselves, whatever a model was limited to.
#include "agent/loop/decide.hpp"

namespace postrider::agent {

struct turn_settings {
    int rounds = 10; // model calls
    tool_choice choice = tool_choice::automatic;
    // The model is told to call a tool where the choice asks for it.
    bool insists = false;
    // People see only what tools send: a turn may end without words, and what else it says is not shown.
    bool speaks_by_tools = false;
    bool nudges = false; // a model that has sent nothing and writes an answer is told so once
};

class turn {
public:
    explicit turn(turn_settings settings) : settings_(settings) {}

    // What the next question says of tools.
    tool_choice choice() const noexcept;
    // Calls that nobody asked for are taken out of the reply.
    next_action take_reply(chat_reply& reply, loop_limits const& limits);
    // Room for another question in which the model mends what it said.
    bool has_round_left() const noexcept;

    // A round is over: these calls were run, or the model is asked to mend its reply.
    void end_round(run_tools const& calls);
    void end_round() { ++state_.rounds; }
    // The next question is the last, without tools.
    void conclude() noexcept { state_.concluding = true; }
    // A tool has sent something to people.
    void note_sent() noexcept { has_sent_ = true; }
    // Fixed rules answer the rest. True: all that was said in the rounds was for the model to mend.
    bool begin_rules();

    bool is_concluding() const noexcept { return state_.concluding; }
    bool is_by_rules() const noexcept { return by_rules_; }
    int rounds() const noexcept { return state_.rounds; }
    int calls() const noexcept { return state_.calls; }

private:
    bool lacks_call(chat_reply const& reply) const;
    next_action without_words(next_action next, chat_reply const& reply);

    turn_settings settings_;
    loop_state state_;
    bool has_insisted_ = false;
    bool has_sent_ = false;
    bool has_nudged_ = false;
    bool by_rules_ = false;
};

} // namespace postrider::agent
