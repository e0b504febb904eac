#include "server/start/flow_templates.hpp"

#include "base/json/text.hpp"
#include "base/setting.hpp"
#include "server/start/shipped_flows.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace postrider::server {

#define FLOW_TEMPLATE(name) std::string_view name##_template();
#include "server/start/flow_templates.def"
#undef FLOW_TEMPLATE

namespace {

flow_template read_template(std::string_view text) {
    flow_template result;
    result.document = boost::json::parse(text).as_object();
    auto const member = [&](std::string_view name) {
        return std::string(result.document.at(name).as_string());
    };
    result.name = member("name");
    result.title = member("title");
    result.description = member("description");
    return result;
}

std::vector<flow_template> read_templates() {
    std::vector<flow_template> templates;
#define FLOW_TEMPLATE(name) templates.push_back(read_template(name##_template()));
#include "server/start/flow_templates.def"
#undef FLOW_TEMPLATE
    templates.push_back(read_template(todo_flow()));
    templates.push_back(read_template(assistant_flow()));
    return templates;
}

} // namespace

std::span<flow_template const> flow_templates() {
    static std::vector<flow_template> const templates = read_templates();
    return templates;
}

boost::json::object summary_of(flow_template const& shipped) {
    return {{"name", shipped.name}, {"title", shipped.title}, {"description", shipped.description}};
}

flow_template const* find_flow_template(std::string_view name) {
    auto const templates = flow_templates();
    auto const place = std::ranges::find(templates, name, &flow_template::name);
    return place == templates.end() ? nullptr : &*place;
}

std::string no_such_template(std::string_view name) {
    std::vector<std::string> names;
    for (auto const& known_template : flow_templates()) names.push_back(known_template.name);
    auto const word = name.substr(0, 100);
    return fmt::format("there is no template {}{}", word, base::suggestion(word, names));
}

std::string new_flow_document(std::string_view name, flow_template const* origin) {
    boost::json::object document{
        {"format", 1},
        {"name", ""},
        {"nodes", boost::json::array()},
        {"connections", boost::json::array()}};
    if (origin) document = origin->document;
    document["name"] = name;
    return base::json_text(document);
}

} // namespace postrider::server
