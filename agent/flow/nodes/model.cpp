// A model as the configuration describes it, of any provider.
#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/models.hpp"
#include "agent/flow/parts/services.hpp"
#include "base/json/json.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

base::result<model_part> model_of(node_services const& services, model_selection const& selection) {
    auto part = services.model(selection);
    if (!part) return part;
    part->credential = selection.credential;
    part->provider = selection.provider;
    part->selected = selection.model;
    return part;
}

} // namespace

base::awaitable<base::result<models_part>> make_models_part(part_run& run, std::string owner) {
    json::value const values = run.parameters;
    base::json_reader fields{values};
    model_selection selection;
    // A configured model is the entry itself; of a provider's the entry is the credential.
    if (owner.empty()) {
        selection.credential = fields["model"].string_or(selection.credential);
    } else {
        selection.credential = fields["credential"].string_or(selection.credential);
        selection.model = fields["model"].string_or("");
    }
    selection.provider = std::move(owner);
    if (fields["max_tokens"]) selection.max_tokens = static_cast<int>(fields["max_tokens"].int64());
    if (fields["temperature"]) selection.temperature = fields["temperature"].number();
    selection.stream = chosen(streaming_choices(), fields["stream"].string_or(""));
    models_part models;
    models.in_order.push_back(model_of(run.services, selection));
    for (auto const& backup : fields["backups"].items_or_none()) {
        selection.credential = backup.string();
        models.in_order.push_back(model_of(run.services, selection));
    }
    if (fields.failed()) co_return fields.failure();
    co_return models;
}

behaviour model_behaviour() {
    return part_of(ai_model, [](part_run& run) { return make_models_part(run, ""); });
}

} // namespace postrider::agent::flow
