#include "agent/flow/nodes/models.hpp"

#include "agent/flow/nodes/describe.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

json::object model_parameters(
    std::string_view provider, std::initializer_list<std::string_view> models, double hottest
) {
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
            },
            "temperature": {
                "title": "Temperature",
                "description": "How much chance there is in an answer; not written = the provider's own.",
                "type": "number",
                "minimum": 0
            },
            "max_tokens": {
                "title": "Most tokens",
                "description": "Of one answer, within the entry's own bound.",
                "type": "integer",
                "minimum": 1,
                "maximum": 200000,
                "default": 4096
            }
        })",
        {"credential"}
    );
    auto& properties = schema["properties"].get_object();
    properties["credential"].get_object()["x-provider"] = provider;
    properties["temperature"].get_object()["maximum"] = hottest;
    if (models.size() > 0)
        properties["model"].get_object()["examples"] = json::array(models.begin(), models.end());
    return schema;
}

} // namespace postrider::agent::flow
