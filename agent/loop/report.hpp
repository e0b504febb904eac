#pragma once
// What an answer says of the tools behind it. Pure.
//
// A tool of medium risk runs without a question, so the person hears of it afterwards: an answer that
// names neither the tool nor what it was called with gets a line that does. The model's own words are
// left as they are.
#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

struct reported_call {
    std::string tool; // as the model knows it
    boost::json::object arguments = {};
};

// The line about those calls that the answer does not mention, to be put behind it; "" = it
// mentions them all.
std::string report_of(std::string_view answer, std::vector<reported_call> const& calls);

} // namespace postrider::agent
