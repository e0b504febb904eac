#include "agent/flow/model_failure_policy.hpp"

#include "agent/describe/folded_text.hpp"

#include <array>

namespace postrider::agent {

namespace {

constexpr std::array<named_choice<model_failure_policy>, 3> policy_choices{{
    {model_failure_policy::fail, "fail", "the node fails, and its error strategy decides"},
    {model_failure_policy::tell, "tell", "the answer is the reason, in words for the person"},
    {model_failure_policy::rules,
     "rules",
     R"(
            fixed rules answer, also without a configured model. Rules for tasks start from the turn's
            results. If they do not understand the message, the answer is that of tell)"_folded},
}};

} // namespace

std::span<named_choice<model_failure_policy> const> model_failure_choices() noexcept {
    return policy_choices;
}

} // namespace postrider::agent
