#pragma once
// Private to agent/models: the parameters of a tool in the form that every provider accepts. Foreign
// tools come with schemas of any draft: one that a provider refuses makes it refuse every request. Pure.
//
// The result describes at least all that the schema does, and may describe more. Calls are checked
// against the tool's own schema.
#include <boost/json/object.hpp>

namespace postrider::agent::wire {

// The root is an object with properties and without alternatives: theirs are merged into it. Objects
// have properties, arrays have items, and older spellings become those of draft 2020-12. A schema that
// is so already comes back as it is.
boost::json::object accepted_schema(boost::json::object const& schema);

} // namespace postrider::agent::wire
