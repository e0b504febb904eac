#include "tests/support/flow_builder.hpp"

#include <boost/json/serialize.hpp>

#include <utility>

namespace postrider::tests {

namespace json = boost::json;

namespace {

std::string id_of(std::string_view name) {
    std::string id;
    for (char const c : name) {
        if (c >= 'A' && c <= 'Z') id += static_cast<char>(c - 'A' + 'a');
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) id += c;
        if (c == ' ') id += '_';
    }
    return id;
}

} // namespace

flow_builder::flow_builder(std::string_view name) : document_{{"format", 1}, {"name", name}} {}

flow_builder& flow_builder::description(std::string_view text) {
    document_["description"] = text;
    return *this;
}

flow_builder& flow_builder::settings(json::object settings) {
    document_["settings"] = std::move(settings);
    return *this;
}

flow_builder& flow_builder::trigger(
    std::string_view name, std::string_view type, json::object parameters
) {
    add(name, type, std::move(parameters));
    return after(name);
}

flow_builder& flow_builder::node(
    std::string_view name, std::string_view type, json::object parameters
) {
    add(name, type, std::move(parameters));
    connect(current_, name, output_);
    return after(name);
}

flow_builder& flow_builder::agent(std::string_view name, json::object parameters) {
    node(name, "agent", std::move(parameters));
    return kinds_.contains("Model") ? connect("Model", name) : part("Model", "model");
}

flow_builder& flow_builder::part(
    std::string_view name, std::string_view type, json::object parameters
) {
    add(name, type, std::move(parameters));
    kinds_.emplace(name, "ai_" + std::string(type.substr(0, type.find('.'))));
    return connect(name, current_);
}

flow_builder& flow_builder::with(std::string_view member, json::value value) {
    nodes_.back().as_object()[member] = std::move(value);
    return *this;
}

flow_builder& flow_builder::after(std::string_view name, std::string_view output) {
    current_ = name;
    output_ = output;
    return *this;
}

flow_builder& flow_builder::connect(
    std::string_view from, std::string_view to, std::string_view output
) {
    json::object connection{{"from", id_of(from)}, {"to", id_of(to)}};
    if (auto const kind = kinds_.find(from); kind != kinds_.end())
        connection["type"] = kind->second;
    if (!output.empty()) connection["output"] = output;
    connections_.push_back(std::move(connection));
    return *this;
}

std::string flow_builder::text() const {
    auto document = document_;
    document["nodes"] = nodes_;
    if (!connections_.empty()) document["connections"] = connections_;
    return json::serialize(document);
}

void flow_builder::add(std::string_view name, std::string_view type, json::object parameters) {
    json::object node{{"id", id_of(name)}, {"name", name}, {"type", type}};
    if (!parameters.empty()) node["parameters"] = std::move(parameters);
    nodes_.push_back(std::move(node));
}

} // namespace postrider::tests
