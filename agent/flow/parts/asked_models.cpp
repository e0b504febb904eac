#include "agent/flow/parts/asked_models.hpp"

#include "agent/flow/parts/services.hpp"
#include "base/json/json.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

std::vector<asked_model> asked_models(node const& node) {
    boost::json::value const parameter_values = node.parameters;
    base::json_reader const parameters{parameter_values};
    std::vector<asked_model> models;
    if (node.type != "model") {
        auto name = parameters["model"].string_or("");
        if (name.find("{{") != name.npos) return {};
        bool const is_own = !name.empty();
        models.push_back(
            {parameters["credential"].string_or(""),
             std::move(name),
             is_own ? "/parameters/model" : "/parameters/credential"}
        );
        return models;
    }
    models.push_back(
        {parameters["model"].string_or(model_selection().credential), "", "/parameters/model"}
    );
    int place = 0;
    for (auto const& backup : parameters["backups"].items_or_none())
        models.push_back({backup.string_or(""), "", fmt::format("/parameters/backups/{}", place++)}
        );
    return models;
}

} // namespace postrider::agent::flow
