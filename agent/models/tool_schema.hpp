#pragma once
// Private to agent/models: the parameters of a tool in the form that every provider accepts. Foreign
// tools come with schemas of any draft: one that a provider refuses makes it refuse every request. Pure.
//
// The result describes at least all that the schema does, and may describe more. Calls are checked
// against the tool's own schema.
#include <boost/json/object.hpp>

namespace postrider::agent::wire {

// Whether a provider refuses objects without "properties" and arrays without "items", as OpenAI does.
enum class schema_form { usual, complete };

// The root is an object without alternatives: theirs are merged into it. Older spellings become those of
// draft 2020-12. Keywords that cannot be used and references that lead nowhere are dropped. A schema that
// is so already comes back as it is.
boost::json::object accepted_schema(boost::json::object const& schema, schema_form form);

} // namespace postrider::agent::wire
