#pragma once
// What a person's message has confirmed already: "delete task 3, yes I'm sure". Decided by rules on
// their own words, and by no model: such a call needs no question. Pure.
#include "agent/todo/resolve.hpp"
#include "base/time_zone.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::todo {

struct confirmed_call {
    std::string tool;
    task_id task{};
    std::string title;    // of a renaming
    std::string priority; // the same; "" = it stays
};

// False: the message confirms nothing, whatever tasks there are.
bool confirms(std::string_view message);

// Calls that the message both asks for and confirms, each of one task and no doubt. Whether a slip or
// a verb alone names a task is decided here, whatever the view says.
std::vector<confirmed_call> confirmed_by(std::string_view message, conversation_view const& view);

// As a tool's settings, and what they say of a call of it.
boost::json::object settings_of(
    std::vector<confirmed_call> const& confirmed, std::string_view tool
);
bool is_confirmed(boost::json::object const& settings, boost::json::object const& arguments);

} // namespace postrider::agent::todo
