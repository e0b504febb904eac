#pragma once
// Flows to begin with: flows/templates/ and the shipped agents, embedded. Each is a document of the format
// with a title, a description and notes. A parameter that a person must fill in is null in it, and
// the validator shows it. Any thread; what is returned lives as long as the process.
#include <boost/json/object.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::server {

struct flow_template {
    std::string name;
    std::string title;
    std::string description;
    boost::json::object document;
};

// In the order in which people see them.
std::span<flow_template const> flow_templates();
// {"name", "title", "description"}
boost::json::object summary_of(flow_template const& shipped);
// Null: there is none of that name.
flow_template const* find_flow_template(std::string_view name);
// "there is no template X; did you mean Y?"
std::string no_such_template(std::string_view name);

// The document of a flow of that name, as text: the template's, or without one that of an empty flow. It is
// judged as every other document.
std::string new_flow_document(std::string_view name, flow_template const* origin);

} // namespace postrider::server
