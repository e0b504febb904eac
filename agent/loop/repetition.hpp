#pragma once
// Does a turn go round in circles? Pure: of the calls that a run has made and what came back.
//
// A call is a tool with its arguments. Calls of one answer that are the same count once: the model
// had not seen what the first of them would return.
#include "agent/loop/decide.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

enum class repetition_kind {
    same_call,   // one call again and again
    ping_pong,   // two calls in turns
    no_progress, // calls that bring nothing new, in whatever order
};
std::string_view to_string(repetition_kind kind) noexcept;

struct repetition {
    repetition_kind kind = repetition_kind::same_call;
    std::string tool; // of the newest call, cut where it is long

    bool operator==(repetition const&) const = default;
};

// What the newest calls amount to:
//   same_call    the last `repeats` are one call with one result, or twice as many are one call
//   ping_pong    the last 2 x `repeats` are two calls in turns, each with one result
//   no_progress  none of the last 2 x `repeats` brought anything new: the call had returned that
//                before, or the tool had failed with these words before
// Nothing: the run gets on.
std::optional<repetition> find_repetition(std::vector<tool_result> const& calls, int repeats);

// As the run's record has it; what to_json() made comes back.
boost::json::value to_json(repetition const& repetition);
repetition repetition_from_json(boost::json::value const& recorded);

// Why the execution completed without what was asked for.
base::error stopped_by(repetition const& repetition);
// For the person, a paragraph behind the answer that ends the run.
std::string repetition_note(repetition const& repetition, language::notices const& words);

} // namespace postrider::agent
