#pragma once
// The system prompt, and what stands beside it. Pure.
//
// The prompt is the same from call to call, so that the providers' caches can hold it and all that
// was said after it. What changes, such as the time, is a note at the very end of the request.
#include "agent/models/model.hpp"
#include "base/clock.hpp"

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace postrider::agent {

inline constexpr std::string_view default_persona =
    "You are a helpful personal assistant. You are friendly, direct and brief: you answer in a few "
    "sentences unless more is asked for, in the language of the user. When you do not know "
    "something, you say so.";

using tool_names = std::set<std::string, std::less<>>;

// persona: role and personality in the operator's words. Of the tools that others describe it has the
// names alone: what a server says stands in the tools' declaration, not among our own words.
std::string system_prompt(
    std::string_view persona, tool_list const& tools, tool_names const& described_by_others = {}
);

// For chat_request::trailing_context. With the time of the person's own zone, where one is named.
std::string current_time_note(base::sys_time now, std::string_view timezone = {});
// Likewise: the person has chosen that language, by its English name.
std::string chosen_language_note(std::string_view language);

} // namespace postrider::agent
