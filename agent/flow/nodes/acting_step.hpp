#pragma once
// A step by which a node acts on the outside: one that only reads may be done again, anything else is an effect
// whose intent is committed before it is done.
#include "agent/flow/node_run.hpp"

#include <string>

namespace postrider::agent::flow {

// What all answers of one node may have together, in bytes: they are in memory.
inline constexpr std::size_t most_bytes_of_answers = 64u << 20;

struct acting_step {
    std::string name; // another one for each step of the node
    std::string kind; // of the effect: "http.request"
    queue::effect_class effect_class = queue::effect_class::at_least_once;
    boost::json::value request = {}; // of the effect, for people
    base::retry_policy tries = {};   // the node's own settings go first
};

// Whether the record has the step's result: serve it by recorded_result(). Where the record is only read and
// has none, this does not return.
bool is_recorded(node_run& run, std::string const& step);
base::awaitable<queue::step_value> recorded_result(node_run& run, std::string const& step);

base::awaitable<queue::step_value> act(node_run& run, acting_step step, queue::step_function work);

// The same at every try and every run of this step, and another for any other: for the other side, which may
// drop what it has seen. 32 hexadecimal digits.
std::string key_of_step(node_run& run, std::string_view step);

} // namespace postrider::agent::flow
