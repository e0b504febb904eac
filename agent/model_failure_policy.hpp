#pragma once
// What an agent does once the last of its models has failed for good: one table, of which the node's
// parameter `when_model_fails` and the setting of [agents.NAME] are made. Pure.
#include <optional>
#include <span>
#include <string_view>

namespace postrider::agent {

enum class model_failure_policy { fail, tell, rules };

struct model_failure_choice {
    model_failure_policy policy;
    std::string_view name;
    std::string_view meaning; // for people: a sentence without its end
};

std::span<model_failure_choice const> model_failure_choices() noexcept;
std::optional<model_failure_policy> model_failure_policy_from(std::string_view name) noexcept;

} // namespace postrider::agent
