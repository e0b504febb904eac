#pragma once
// What follows a model's reply? The heart of the agent loop, free of I/O: the turn performs what
// is decided here.
//
// A turn has so many tool calls and so many model rounds. A call beyond the limit, also one within
// a parallel batch, is not run: the model is told "limit reached" and asked once more without
// tools, for what it has gathered. The last round is one without tools, too, unless it is the only
// one; what its reply says is the answer, whatever it calls.
#include "agent/expression/limits.hpp"
#include "agent/language/notices.hpp"
#include "agent/models/model.hpp"
#include "agent/talk/degradation.hpp"

#include <variant>

namespace postrider::agent {

inline constexpr std::string_view limit_reached = "limit reached";

struct loop_limits {
    int tool_calls = 5; // run in one turn
    int rounds = 10;    // model calls
};

// Where the turn stands when the reply comes in.
struct loop_state {
    int rounds = 0;          // replies before this one
    int calls = 0;           // tool calls run so far
    bool concluding = false; // the reply was asked for without tools
};

// Run these, answer the refused ones with limit_reached, then ask again; without tools if
// concluding.
struct run_tools {
    std::vector<tool_call> run;
    std::vector<tool_call> refused;
    bool concluding = false;
};

// The turn's answer. Its text is empty where the model said nothing, as the shortfall says, and where people see
// what tools send, and nothing else.
struct answer {
    std::string text = {};
    bool cut = false; // the model was stopped in the middle of it: a person is told so
    bool is_cut_by_length = true;
    std::optional<degraded_by> shortfall = {}; // it is not what was asked for
    boost::json::value left_open = {};         // of chat_message
};
// Never empty: what is said in place of a text that the model did not write.
std::string text_of(answer const& draft, language::notices const& words);

// The concluding reply holds no text: what the tools returned is all there is (list_results).
struct give_up {
    degraded_by shortfall = degraded_by::empty_answer;
};

// The nodes behind the agent pass an answer on by expressions, which make no text beyond their limit
// and may put words around it.
inline constexpr std::size_t longest_answer = expression_limits{}.output / 2;
// The answer, cut between two characters where it is longer than that.
answer within_bounds(answer draft);

// A call is required, and the reply has none: the model is told so, or there is no answer. Of turn alone.
struct call_missing {
    bool ask_again = false;
};

// A model writes to people who see only what tools send: it is told so. Of turn alone.
struct words_unsent {};

using next_action = std::variant<run_tools, answer, give_up, call_missing, words_unsent>;

next_action decide(loop_state const& state, loop_limits const& limits, chat_reply const& reply);

struct tool_result {
    std::string tool;
    std::string text;
    bool is_error = false;
    boost::json::value arguments = {}; // of the call
    int round = 0;                     // the reply that called it
    std::string error_reason = {};     // of chat_message
};

// The answer when the model cannot give one any more: a plain list of what the tools returned.
// Of results that are JSON it has the tools' names alone.
std::string list_results(std::vector<tool_result> const& results, language::notices const& words);

} // namespace postrider::agent
