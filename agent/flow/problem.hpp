#pragma once
// What is wrong with a flow, for people, the command line, the API and the editor alike.
#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace postrider::agent::flow {

enum class severity {
    error,   // the flow cannot be published
    warning, // it can, but somebody should look
};

struct problem {
    std::string code;    // stable: "unknown_type", "missing_parameter", "cycle", …
    std::string path;    // JSON Pointer into the document: "/nodes/3/parameters/model"
    std::string message; // what is wrong
    std::string hint;    // what to do about it; may be ""
    std::string node;    // the node's name; "" = the flow as a whole
    flow::severity severity = severity::error;
};

boost::json::object to_json(problem const& what);
// "Assistant (/nodes/1/parameters/system_prompt): … — hint"
std::string to_text(problem const& what);

bool any_error(std::vector<problem> const& problems) noexcept;

} // namespace postrider::agent::flow
