#pragma once
// Members that several places of the files of node types have: {"x-shared": "thread"} is the member
// "thread" of shared.json, and {"x-shared": "bounds.window"} what the program knows of that bound.
#include <boost/json/value.hpp>

namespace postrider::agent::flow {

// The value with the members in place of their names. A member that is written next to the name
// counts; two descriptions follow each other. std::logic_error: there are no members of a name.
boost::json::value with_shared_members(boost::json::value const& value);

} // namespace postrider::agent::flow
