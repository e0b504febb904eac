#include "agent/model_failure_policy.hpp"

#include "agent/folded_text.hpp"

#include <array>

namespace postrider::agent {

namespace {

constexpr std::array<named_choice<model_failure_policy>, 3> policy_choices{{
    {model_failure_policy::fail, "fail", "the node fails, and its error strategy decides"},
    {model_failure_policy::tell,
     "tell",
     "the answer says in words for the person that there is none, and why"},
    {model_failure_policy::rules,
     "rules",
     R"(
            fixed rules answer, those for tasks from what this turn has done, and what they do not
            understand is answered as with tell; also where no model is set up)"_folded},
}};

} // namespace

std::span<named_choice<model_failure_policy> const> model_failure_choices() noexcept {
    return policy_choices;
}

} // namespace postrider::agent
