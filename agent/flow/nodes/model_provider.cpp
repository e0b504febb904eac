// Models of the table of providers as nodes: model.PROVIDER. Each takes entries of that provider alone.
#include "agent/flow/nodes/models.hpp"
#include "agent/flow/nodes/read_node_type.hpp"
#include "agent/models/provider.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

void adapt_parameters(json::object& properties, provider const& from, std::string_view owner) {
    properties["credential"].get_object()["x-provider"] = owner;
    properties["temperature"].get_object()["maximum"] = from.most_temperature;
    // Nobody knows the names of a server that is only compatible.
    if (owner != from.name || from.models.empty()) return;
    json::array names;
    for (auto const& known : from.models) names.emplace_back(known.name);
    properties["model"].get_object()["examples"] = std::move(names);
}

node_type type_of_provider(
    std::string_view text,
    provider const& from,
    std::string_view owner,
    std::string_view title,
    std::string_view documentation
) {
    auto type = read_node_type(text, part_of(ai_model, [owner = std::string(owner)](part_run& run) {
                                   return make_models_part(run, owner);
                               }));
    type.name = "model." + std::string(owner);
    type.title = title;
    set_documentation(type, documentation);
    if (from.is_built_in()) {
        type.parameters["properties"].emplace_object();
        type.parameters.erase("required");
    } else {
        adapt_parameters(type.parameters["properties"].get_object(), from, owner);
    }
    return type;
}

} // namespace

std::vector<node_type> model_provider_types(std::string_view text) {
    std::vector<node_type> all;
    for (auto const* from : providers()) {
        all.push_back(type_of_provider(text, *from, from->name, from->title, from->documentation));
        for (auto const& api : from->apis)
            if (!api.node.empty())
                all.push_back(type_of_provider(text, *from, api.node, api.title, api.documentation)
                );
    }
    return all;
}

} // namespace postrider::agent::flow
