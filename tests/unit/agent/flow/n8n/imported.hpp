#pragma once
// Imports of small workflows, for tests.
#include "agent/flow/n8n/import.hpp"
#include "agent/flow/n8n/workflow.hpp" // what a failure of an import throws
#include "agent/flow/validate/validate.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::agent::flow::n8n {

inline imported_draft imported_workflow(
    std::string_view nodes, std::string_view connections = "{}"
) {
    static catalog const types = builtin_types();
    auto const text = R"({"name": "Sample", "nodes": [)" + std::string(nodes) +
                      R"(], "connections": )" + std::string(connections) + "}";
    return import_workflow(text, types).value();
}

// {"A": {"main": [[{"node": "B"}]]}} of "A B, B:1 C:2": from the output and to the input of that number.
inline std::string linked(std::string_view text) {
    boost::json::object connections;
    for (auto rest = text; !rest.empty();) {
        auto const pair = rest.substr(0, rest.find(", "));
        rest.remove_prefix(std::min(pair.size() + 2, rest.size()));
        auto const end = [](std::string_view name) {
            auto const colon = name.find(':');
            auto const number = colon == name.npos
                                    ? std::size_t{0}
                                    : static_cast<std::size_t>(name[colon + 1] - '0');
            return std::pair(std::string(name.substr(0, colon)), number);
        };
        auto const [from_name, output] = end(pair.substr(0, pair.find(' ')));
        auto const [to_name, input] = end(pair.substr(pair.find(' ') + 1));
        auto& outputs = connections[from_name];
        if (!outputs.is_object()) outputs = {{"main", boost::json::array()}};
        auto& lists = outputs.at("main").as_array();
        while (lists.size() <= output) lists.push_back(boost::json::array());
        lists[output].as_array().push_back({{"node", to_name}, {"type", "main"}, {"index", input}});
    }
    return boost::json::serialize(connections);
}

inline boost::json::object node_named(imported_draft const& draft, std::string_view name) {
    for (auto const& entry : draft.document.at("nodes").as_array())
        if (entry.at("name").as_string() == boost::json::string_view(name.data(), name.size()))
            return entry.get_object();
    return {};
}

// The errors of the validator, without those of names that the configuration has.
inline std::vector<std::string> errors_of(imported_draft const& draft) {
    static catalog const types = builtin_types();
    std::vector<std::string> errors;
    auto const examined = examine(boost::json::serialize(draft.document), types, {});
    for (auto const& problem : examined.problems)
        if (problem.severity == severity::error)
            errors.push_back(problem.code + " " + problem.path + ": " + problem.message);
    return errors;
}

} // namespace postrider::agent::flow::n8n
