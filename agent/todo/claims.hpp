#pragma once
// Claims that something was changed, in the six languages of the rules: "I've deleted it". A question,
// a negation, an offer and a condition claim nothing. Private to agent/todo. Pure.
#include "agent/todo/request.hpp"

#include <set>
#include <string_view>

namespace postrider::agent::todo {

// Kinds of change that the text claims: create, update, complete, remove.
std::set<intent::kind> claims_in(std::string_view text);

} // namespace postrider::agent::todo
