#include "agent/describe/bounds.hpp"
#include "agent/flow/nodes/describe.hpp"
#include "agent/flow/nodes/models.hpp"
#include "agent/flow/parts/models.hpp"
#include "agent/flow/services.hpp"
#include "agent/models/provider.hpp"
#include "base/json/json.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// `owner`: whose entry it must be, "" = anybody's.
base::awaitable<base::result<models_part>> make_models_part(part_run& run, std::string owner) {
    json::value const all = run.parameters;
    base::json_reader from{all};
    model_selection selection;
    // A configured model is the entry itself; of a provider's the entry is the credential.
    if (owner.empty()) {
        selection.credential = from["model"].string_or(selection.credential);
    } else {
        selection.credential = from["credential"].string_or(selection.credential);
        selection.model = from["model"].string_or("");
    }
    selection.provider = std::move(owner);
    if (from["max_tokens"]) selection.max_tokens = static_cast<int>(from["max_tokens"].int64());
    if (from["temperature"]) selection.temperature = from["temperature"].number();
    selection.stream = chosen(streaming_choices(), from["stream"].string_or(""));
    models_part models;
    models.in_order.push_back(run.services.model(selection));
    for (auto const& backup : from["backups"].items_or_none()) {
        selection.credential = backup.string();
        models.in_order.push_back(run.services.model(selection));
    }
    if (from.failed()) co_return from.failure();
    co_return models;
}

part made_for(std::string_view owner) {
    return part_of(ai_model, [owner = std::string(owner)](part_run& run) {
        return make_models_part(run, owner);
    });
}

constexpr std::string_view sampling_parameters = R"({
    "temperature": {
        "title": "Temperature",
        "description": "How much chance there is in an answer; not written = the provider's own. It is not sent to models that refuse it.",
        "type": "number"
    },
    "max_tokens": {
        "title": "Most tokens",
        "description": "Of one answer, within the entry's own bound.",
        "type": "integer"
    },
    "stream": {
        "title": "Stream",
        "description": "When to stream the answer. Default: the model entry's setting.",
        "type": "string"
    }
})";

void add_sampling(json::object& schema, double most_temperature) {
    auto& properties = schema["properties"].get_object();
    auto const added = parameters(sampling_parameters);
    for (auto const& [name, parameter] : added.at("properties").get_object())
        properties[name] = parameter;
    auto& temperature = properties["temperature"].get_object();
    temperature["minimum"] = bounds::least_temperature;
    temperature["maximum"] = most_temperature;
    bounds::apply(bounds::answer_tokens, properties["max_tokens"]);
    apply_choices(streaming_choices(), properties["stream"]);
}

json::object parameters_of_any() {
    auto schema = parameters(R"({
        "model": {
            "title": "Model",
            "description": "The NAME of a [models.NAME] in the configuration.",
            "type": "string",
            "minLength": 1,
            "default": "default",
            "x-reference": "model"
        },
        "backups": {
            "title": "Backups",
            "description": "Those that are asked in its place, in this order, where it fails for good or its breaker is open.",
            "type": "array",
            "items": {"type": "string", "minLength": 1, "x-reference": "model"},
            "default": []
        }
    })");
    schema["properties"].at("backups").as_object()["maxItems"] = bounds::most_models - 1;
    add_sampling(schema, bounds::most_temperature);
    return schema;
}

json::object provider_parameters(provider const& from, std::string_view owner) {
    if (from.is_built_in()) return parameters("{}");
    auto schema = parameters(
        R"({
            "credential": {
                "title": "Credential",
                "description": "The NAME of a [models.NAME] in the configuration, which has the key.",
                "type": "string",
                "minLength": 1,
                "x-reference": "model",
                "x-secret": true,
                "x-expression": false
            },
            "model": {
                "title": "Model",
                "description": "As the provider calls it; not written = the entry's.",
                "type": "string",
                "minLength": 1
            }
        })",
        {"credential"}
    );
    auto& properties = schema["properties"].get_object();
    properties["credential"].get_object()["x-provider"] = owner;
    // Of a server that is only compatible nobody knows the names.
    if (owner == from.name && !from.models.empty()) {
        json::array names;
        for (auto const& known : from.models) names.emplace_back(known.name);
        properties["model"].get_object()["examples"] = std::move(names);
    }
    add_sampling(schema, from.most_temperature);
    return schema;
}

node_type describe_model_of(
    provider const& from,
    std::string_view owner,
    std::string_view title,
    std::string_view documentation
) {
    return {
        .name = "model." + std::string(owner),
        .title = std::string(title),
        .documentation = std::string(documentation),
        .parameters = provider_parameters(from, owner),
        .behaviour = made_for(owner),
    };
}

} // namespace

std::vector<node_type> describe_models() {
    std::vector<node_type> all;
    all.push_back({
        .name = "model",
        .title = "Configured model",
        .documentation =
            "A model just as the configuration describes it, of any provider: `[models.NAME]`.",
        .parameters = parameters_of_any(),
        .behaviour = made_for(""),
    });
    for (auto const* from : providers()) {
        all.push_back(describe_model_of(*from, from->name, from->title, from->documentation));
        for (auto const& api : from->apis)
            if (!api.node.empty())
                all.push_back(describe_model_of(*from, api.node, api.title, api.documentation));
    }
    return all;
}

} // namespace postrider::agent::flow
