#pragma once
// What an answer says of the tools behind it. Pure.
//
// A tool of medium risk runs without a question, so the person hears of it afterwards: an answer that
// names neither the tool nor what it was called with gets a line that does. The model's own words are
// left as they are.
#include "agent/language/notices.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

struct reported_call {
    std::string tool;                   // as the model knows it
    boost::json::object arguments = {}; // what the call was about: see subjects_of()
};

// The arguments without those that say how it was called rather than about what: values of a list in the
// tool's schema, verbs of HTTP ("GET"), and members such as "method", "http_method" or "sortOrder".
boost::json::object subjects_of(
    boost::json::object const& arguments, boost::json::object const& schema
);

// The line about those calls that the answer does not mention, to be put behind it; "" = it
// mentions them all.
std::string report_of(
    std::string_view answer, std::vector<reported_call> const& calls, language::notices const& words
);

} // namespace postrider::agent
