#pragma once
// A parameter as n8n's own form names it: "options.systemMessage" is in the section Options, and called System
// Message there. Pure.
#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace postrider::agent::flow::n8n {

// "Options > System Message", of a path with dots. A number counts the entries of a list: "Values 2 > Name".
std::string parameter_words(std::string_view path);

// Of the first parameter whose text has this in it; empty: none has.
std::string parameter_with(boost::json::object const& parameters, std::string_view text);

} // namespace postrider::agent::flow::n8n
