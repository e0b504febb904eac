#pragma once
// The names of the steps that ask an agent's models. Pure.
//
// They are part of the record: the first entry of the agent's first model node is asked as "model", the
// others as "model:2" (of the second node), "model:1.2" (the second entry of the first one).
#include <optional>
#include <string>
#include <string_view>

namespace postrider::agent::flow {

// That asks the fixed rules, which answer where no model does.
inline constexpr std::string_view rules_step = "rules";

// Both count from 1.
std::string model_step(int node, int entry);

// Which of the agent's model nodes the step asks; nothing where it is another step. A later round's
// "#2" makes no difference.
std::optional<int> node_of_model_step(std::string_view step);

} // namespace postrider::agent::flow
