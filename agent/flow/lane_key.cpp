#include "agent/flow/lane_key.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Before there is a job: the message as $json, and $vars.
class message_names final : public scope {
public:
    message_names(json::value message, json::value variables)
        : message_(std::move(message)),
          variables_(std::move(variables)) {}

    json::value const* variable(std::string_view name) const override {
        if (name == "$json") return &message_;
        return name == "$vars" ? &variables_ : nullptr;
    }
    json::value const* node(std::string_view) const override { return nullptr; }

private:
    json::value message_;
    json::value variables_;
};

} // namespace

std::string lane_key(graph const& flow, heard_message const& heard, std::string_view text) {
    message_names const names(item_of(heard, text), flow.flow().settings.variables);
    auto const key = flow.lane().evaluate(names);
    if (!key) return {};
    auto const value = text_of(*key);
    return value.empty() ? std::string{} : "flow:" + flow.flow().name + ":" + value;
}

} // namespace postrider::agent::flow
