#pragma once
// What an agent does once the last of its models has failed for good: the node's parameter
// `when_model_fails`, and the setting of [agents.NAME]. Pure.
#include "agent/describe/choice.hpp"

namespace postrider::agent {

enum class model_failure_policy { fail, tell, rules };

std::span<named_choice<model_failure_policy> const> model_failure_choices() noexcept;

} // namespace postrider::agent
