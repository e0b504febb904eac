// The models that hang on agents: entries of the configuration, as their nodes want them.
#include "agent/flow/nodes/models.hpp"
#include "agent/flow/services.hpp"
#include "base/json.hpp"

namespace postrider::agent::flow {

namespace {

base::result<ai_part> make_of(part_run const& run, std::string_view provider) {
    boost::json::value const all = run.parameters;
    base::json_reader from{all};
    model_wish wish;
    wish.provider = std::string(provider);
    // A configured model is the entry itself; of a provider's the entry is the credential.
    if (provider.empty()) {
        wish.credential = from["model"].string_or(wish.credential);
    } else {
        wish.credential = from["credential"].string_or(wish.credential);
        wish.model = from["model"].string_or("");
    }
    if (from["max_tokens"]) wish.max_tokens = static_cast<int>(from["max_tokens"].int64());
    if (from["temperature"]) wish.temperature = from["temperature"].number();
    if (from.failed()) return from.failure();
    auto made = run.services.model(wish);
    if (!made) return made.error();
    return ai_part(std::move(*made));
}

} // namespace

base::result<ai_part> make_configured_model(part_run const& run) {
    return make_of(run, "");
}
base::result<ai_part> make_anthropic_model(part_run const& run) {
    return make_of(run, "anthropic");
}
base::result<ai_part> make_openai_model(part_run const& run) {
    return make_of(run, "openai");
}
base::result<ai_part> make_compatible_model(part_run const& run) {
    return make_of(run, "compatible");
}
base::result<ai_part> make_rules_model(part_run const& run) {
    return make_of(run, "rules");
}

} // namespace postrider::agent::flow
