#include "agent/flow/lane_key.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Before there is a job: the trigger's item as $json, and $vars.
class item_names final : public scope {
public:
    item_names(json::value item, json::value variables)
        : item_(std::move(item)),
          variables_(std::move(variables)) {}

    json::value const* variable(std::string_view name) const override {
        if (name == "$json") return &item_;
        return name == "$vars" ? &variables_ : nullptr;
    }
    json::value const* node(std::string_view) const override { return nullptr; }

private:
    json::value item_;
    json::value variables_;
};

} // namespace

std::string lane_key(graph const& flow, json::value item) {
    item_names const names(std::move(item), flow.flow().settings.variables);
    auto const key = flow.lane().evaluate(names);
    if (!key) return {};
    auto const value = text_of(*key);
    return value.empty() ? std::string{} : "flow:" + flow.flow().name + ":" + value;
}

} // namespace postrider::agent::flow
