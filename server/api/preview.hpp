#pragma once
// Evaluates an expression or a parameter with some data: tried out before it is saved. Pure.
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>

namespace postrider::api {

// The data says what the names mean: {"json", "input", "session", "now", "execution", "vars",
// "from_ai", "nodes": {name: …}}; what is left out is not there. Gives {"value", "text"}, or
// {"errors": [{"path", "expression", "column", "message"}]}. Bounded in time and size by the limits
// of every evaluation.
boost::json::object preview_expression(std::string const& source, boost::json::object const& data);
// Any JSON, whose texts may hold {{ expressions }}.
boost::json::object preview_parameter(
    boost::json::value const& parameter, boost::json::object const& data
);

} // namespace postrider::api
