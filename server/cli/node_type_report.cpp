#include "server/cli/node_type_report.hpp"

#include "base/json/json.hpp"
#include "base/json/text.hpp"
#include "server/cli/table.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <set>

namespace postrider::cli {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;

std::string ports_text(std::vector<flow::port> const& ports) {
    std::string text;
    for (auto const& port : ports) {
        if (!text.empty()) text += ", ";
        if (!port.from_parameter.empty()) text += "each of " + port.from_parameter + ", ";
        text += port.name;
    }
    return text.empty() ? "none" : text;
}

// "string", "string or null", "one of queue, skip".
std::string kind_of(base::json_reader const& schema) {
    std::string text;
    auto const add = [&](std::string const& part, std::string_view between) {
        text += (text.empty() ? "" : std::string(between)) + part;
    };
    if (auto const* choices = schema["enum"].raw(); choices && choices->is_array()) {
        for (auto const& choice : choices->get_array())
            add(choice.is_string() ? std::string(choice.get_string()) : base::json_text(choice),
                "|");
        return text;
    }
    auto const* type = schema["type"].raw();
    if (type && type->is_string()) return std::string(type->get_string());
    for (auto const& name : schema["type"].items_or_none()) add(name.string_or(""), " or ");
    return text.empty() ? "any" : text;
}

std::set<std::string> required_of(base::json_reader const& schema) {
    std::set<std::string> names;
    for (auto const& name : schema["required"].items_or_none()) names.insert(name.string_or(""));
    return names;
}

std::string parameters_text(json::value const& schema) {
    base::json_reader const reader{schema};
    auto const* properties = reader["properties"].raw();
    if (!properties || !properties->is_object() || properties->get_object().empty())
        return "It has no parameters.\n";
    auto const required = required_of(reader);
    std::vector<cells> lines;
    for (auto const& [name, described] : properties->get_object()) {
        base::json_reader const parameter{described};
        auto const* usual = parameter["default"].raw();
        lines.push_back(
            {std::string(name),
             kind_of(parameter),
             required.contains(std::string(name)) ? "must be written"
             : usual                              ? base::json_text(*usual)
                                                  : "",
             parameter["description"].string_or("")}
        );
    }
    return table({"parameter", "kind", "default", ""}, lines);
}

} // namespace

std::string to_text(std::vector<flow::node_type const*> const& types) {
    std::vector<cells> lines;
    lines.reserve(types.size());
    for (auto const* type : types)
        lines.push_back(
            {type->name,
             std::to_string(type->version),
             std::string(flow::group_of(*type)),
             type->title}
        );
    return table({"type", "version", "group", "title"}, lines);
}

std::string to_text(flow::node_type const& type) {
    auto text = fmt::format(
        "{}  version {}  {}\n\n{}\n\nin   {}\nout  {}\n\n",
        type.name,
        type.version,
        type.title,
        type.documentation,
        ports_text(type.inputs),
        ports_text(type.outputs)
    );
    return printable(text + parameters_text(json::value(type.parameters)));
}

} // namespace postrider::cli
