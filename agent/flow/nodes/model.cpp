// A model as the configuration describes it, of any provider.
#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/models.hpp"
#include "agent/flow/parts/services.hpp"
#include "base/json/json.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

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

behaviour model_behaviour() {
    return part_of(ai_model, [](part_run& run) { return make_models_part(run, ""); });
}

} // namespace postrider::agent::flow
