#pragma once
// The system prompt, built anew for every model call. Pure.
//
// The time stands at the end, so that everything before it stays the same from call to call and the
// providers' prompt caches can hold it.
#include "agent/models/model.hpp"
#include "base/clock.hpp"

namespace postrider::agent {

inline constexpr std::string_view default_persona =
    "You are a helpful personal assistant in a Telegram chat. You are friendly, direct and brief: "
    "you answer in a few sentences unless more is asked for, in the language of the user. When you "
    "do not know something, you say so.";

// persona: role and personality in the operator's words.
std::string system_prompt(
    std::string_view persona, std::vector<tool_spec> const& tools, base::sys_time now
);

} // namespace postrider::agent
