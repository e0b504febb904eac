// Models of the table of providers as nodes: model.PROVIDER. Each takes entries of that provider alone.
#include "agent/flow/nodes/models.hpp"
#include "agent/flow/nodes/read_node_type.hpp"
#include "agent/models/provider.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

void adapt_parameters(json::object& properties, provider const& provider, std::string_view owner) {
    properties["credential"].get_object()["x-provider"] = owner;
    properties["temperature"].get_object()["maximum"] = provider.most_temperature;
    properties["model"].get_object()["x-models"] = provider.name;
    // Nobody knows the names of a server that is only compatible.
    if (owner != provider.name || provider.models.empty()) return;
    json::array names;
    for (auto const& model : provider.models) names.emplace_back(model.name);
    properties["model"].get_object()["examples"] = std::move(names);
}

node_type type_of_provider(
    std::string_view text,
    provider const& provider,
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
    if (provider.is_built_in()) {
        type.parameters["properties"].emplace_object();
        type.parameters.erase("required");
    } else {
        adapt_parameters(type.parameters["properties"].get_object(), provider, owner);
    }
    return type;
}

} // namespace

std::vector<node_type> model_provider_types(std::string_view text) {
    std::vector<node_type> types;
    for (auto const* provider : providers()) {
        types.push_back(type_of_provider(
            text, *provider, provider->name, provider->title, provider->documentation
        ));
        for (auto const& api : provider->apis)
            if (!api.node.empty())
                types.push_back(
                    type_of_provider(text, *provider, api.node, api.title, api.documentation)
                );
    }
    return types;
}

} // namespace postrider::agent::flow
