#pragma once
// Private to agent/models: what a Chat Completions server adds to a message or a call that only the
// server can read: reasoning_content, reasoning_details, the thought_signature in extra_content. Some
// refuse the next request without it, so the members go back as they came. Pure.
#include <boost/json/object.hpp>

namespace postrider::agent::openai {

// The members of a message that are not read here, its calls' under "tool_calls" in the calls' order;
// empty = there are none. Members that are null are left out.
boost::json::object opaque_members(boost::json::object const& message);

// The same of a piece of a stream, joined to the pieces before it: texts grow, and items of a list are
// joined by their index, type and id.
void join_opaque(boost::json::object& whole, boost::json::object const& delta);
// Of a piece of a call, without the call's own index, id and arguments.
void join_opaque_of_call(boost::json::object& whole, boost::json::object const& piece);
// Of a message's content: a text, or a list of parts of which some are thoughts.
void join_content(boost::json::value& whole, boost::json::value const& piece);

// Puts the members back into a message as it is sent.
void return_opaque(boost::json::object& message, boost::json::object const& kept);

} // namespace postrider::agent::openai
