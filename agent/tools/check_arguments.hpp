#pragma once
// Do a model's arguments fit a tool's parameters? Checks what a wrong call most often has wrong:
// missing required members and members of the wrong primitive type. Pure.
//
// A member that the schema does not know is let through: the tool does not read it.
#include "base/error.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent {

// invalid, with a detail that tells the model what to change.
base::result<void> check_arguments(
    boost::json::object const& schema, boost::json::object const& arguments
);

} // namespace postrider::agent
