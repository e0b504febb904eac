#pragma once
// What models are not told of a tool's parameters. Pure.
#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace postrider::agent {

// The keywords of the schema that are missing in the form that every provider accepts, sorted. Calls
// are checked against them all the same.
std::vector<std::string> dropped_words(boost::json::object const& schema);

} // namespace postrider::agent
