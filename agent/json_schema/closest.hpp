#pragma once
// What to tell about a value that fits none of several alternatives.
#include "agent/json_schema/run.hpp"

namespace postrider::agent::json_schema {

// False. Says what the alternatives want where the value is of another kind than all of them; else
// names the closest one and tells what is wrong there. Of another kind is a value whose type,
// constant or choice is not the one that is asked for, or that of a member (a discriminator).
bool refuse_all(
    trial const& t, std::vector<node const*> const& schemas, std::string_view requirement
);

} // namespace postrider::agent::json_schema
