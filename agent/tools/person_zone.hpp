#pragma once
// The time zone of the person that a tool acts for: what the person has set (set_timezone), else that of
// the bot. Private to agent/tools.
#include "agent/tools/tool_context.hpp"
#include "base/time_zone.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace postrider::agent {

// A city, a country, an IANA name, or an offset of whole hours. Errors say what to write.
base::result<base::time_zone> read_zone(std::string const& name);

// Nothing: neither the person nor the bot has one. unavailable and the like: it could not be read.
base::awaitable<base::result<std::optional<base::time_zone>>> zone_of_person(
    tool_context const& context
);

} // namespace postrider::agent
