#pragma once
// What somebody is told who asks for the own usage with /usage. Pure.
#include "storage/stores/own_usage.hpp"

#include <string>
#include <string_view>

namespace postrider::agent {

// The person's calls of today in this conversation, then the budgets: those of the person and of the chat with what is
// left, those that are shared with others only where they are used up.
std::string usage_text(storage::own_usage const& usage, std::string_view language);

} // namespace postrider::agent
