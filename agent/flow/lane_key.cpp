#include "agent/flow/lane_key.hpp"

#include "agent/expression/template.hpp"
#include "base/json/nul.hpp"
#include "net/digest.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Before there is a job: the trigger's item as $json, and $vars.
class key_scope final : public scope {
public:
    key_scope(json::value item, json::value variables)
        : item_(std::move(item)),
          variables_(std::move(variables)) {}

    json::value const* variable(std::string_view name) const override {
        if (name == lane_names[0]) return &item_;
        return name == lane_names[1] ? &variables_ : nullptr;
    }
    json::value const* node(std::string_view) const override { return nullptr; }

private:
    json::value item_;
    json::value variables_;
};

// An index of Postgres takes keys of 2,700 bytes, and its text no NUL.
constexpr std::size_t longest_key_value = 200;

} // namespace

std::string lane_key(definition const& flow, json::value item) {
    auto const lane = parameter_template::compile(json::value(flow.settings.lane));
    if (!lane) return {};
    key_scope const names(std::move(item), flow.settings.variables);
    auto const evaluated = lane->evaluate(names);
    if (!evaluated) return {};
    auto value = text_of(*evaluated);
    if (value.empty()) return {};
    if (value.size() > longest_key_value || base::has_nul(value))
        value = "sha256:" + net::sha256_hex(value);
    return "flow:" + flow.name + ":" + value;
}

std::string lane_or_own(definition const& flow, json::value item, base::random_source& random) {
    auto key = lane_key(flow, std::move(item));
    if (!key.empty()) return key;
    key = "flow:" + flow.name;
    if (flow.settings.mailbox.empty()) key += "/" + base::nanoid(random);
    return key;
}

// Names of flows hold neither.
bool is_own_lane(std::string_view key) {
    constexpr std::string_view prefix = "flow:";
    if (!key.starts_with(prefix)) return false;
    auto const end = key.find_first_of(":/", prefix.size());
    return end != key.npos && key[end] == '/';
}

} // namespace postrider::agent::flow
