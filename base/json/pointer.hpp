#pragma once
// JSON Pointers (RFC 6901), made and followed. Pure.
//
// boost::json::value::find_pointer() follows a whole one; here are its steps.
#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::base {

// A member's name as it stands in a pointer: "a/b" is "a~1b".
std::string pointer_step(std::string_view member);

// One step more: below("/nodes/3", "a/b") = "/nodes/3/a~1b".
std::string below(std::string_view pointer, std::string_view member);
std::string below(std::string_view pointer, std::size_t index);

// The unescaped steps of a pointer; none for a text that is no pointer.
std::optional<std::vector<std::string>> steps_of(std::string_view pointer);

// The child that a step names; null when there is none.
boost::json::value const* child_of(boost::json::value const& value, std::string_view step);

} // namespace postrider::base
