#include "agent/json_schema/definition.hpp"

#include "agent/json_schema/compiler.hpp"
#include "agent/json_schema/number.hpp"

namespace postrider::agent::json_schema {

namespace json = boost::json;

namespace {

constexpr auto not_only_strings = "must hold nothing but strings";

std::optional<std::vector<std::string>> strings_of(json::array const& array) {
    std::vector<std::string> strings;
    for (auto const& each : array) {
        auto const* text = each.if_string();
        if (!text) return std::nullopt;
        strings.emplace_back(text_of(*text));
    }
    return strings;
}

} // namespace

definition::definition(
    compiler& compiler,
    node& owner,
    json::object const& siblings,
    std::string_view name,
    json::value const& value
)
    : all_(compiler),
      owner_(owner),
      siblings_(siblings),
      name_(name),
      value_(value) {}

std::optional<definition> definition::sibling(std::string_view name) const {
    auto const* word = all_.find_word(siblings_, name);
    if (!word) return std::nullopt;
    return definition(all_, owner_, siblings_, name, *word);
}

compile_options const& definition::options() const {
    return all_.options();
}

void definition::refuse(std::string message) const {
    all_.drop_keyword();
    all_.refuse_part(owner_, pointer(), std::move(message));
}

void definition::refuse_below(std::string_view step, std::string message) const {
    all_.refuse_part(owner_, base::below(pointer(), step), std::move(message));
}

std::uint64_t definition::count() const {
    json::value const most = UINT64_MAX;
    if (value_.is_number() && is_whole(value_) && std::is_gteq(compare(value_, 0)))
        return std::is_lt(compare(value_, most)) ? value_.to_number<std::uint64_t>() : UINT64_MAX;
    refuse("must be a whole number from 0 on");
    return 0;
}

bool definition::flag() const {
    if (auto const* flag = value_.if_bool()) return *flag;
    refuse("must be true or false");
    return false;
}

std::string definition::text() const {
    if (auto const* text = value_.if_string()) return {text->data(), text->size()};
    refuse("must be a string");
    return {};
}

std::vector<std::string> definition::names() const {
    auto names = strings_of(list());
    if (!names) refuse(not_only_strings);
    return names.value_or(std::vector<std::string>{});
}

std::vector<std::string> definition::names_below(std::string_view step, json::array const& array)
    const {
    auto names = strings_of(array);
    if (!names) refuse_below(step, not_only_strings);
    return names.value_or(std::vector<std::string>{});
}

json::value definition::number() const {
    if (value_.is_number()) return json::value(value_, json::storage_ptr());
    refuse("must be a number");
    return 0;
}

json::array const& definition::list() const {
    static json::array const none;
    if (auto const* list = value_.if_array()) return *list;
    refuse("must be an array");
    return none;
}

json::object const& definition::object() const {
    static json::object const none;
    if (auto const* object = value_.if_object()) return *object;
    refuse("must be an object");
    return none;
}

std::optional<pattern> definition::pattern(std::string_view text) const {
    auto compiled = all_.pattern_of(text);
    if (compiled) return *compiled;
    if (value_.is_object())
        refuse_below(text, compiled.error().detail);
    else
        refuse(compiled.error().detail);
    return std::nullopt;
}

node const* definition::keep(node const* applied, target applies_to) const {
    if (applies_to == target::itself) owner_.in_place.push_back(applied);
    return applied;
}

node const* definition::schema(target applies_to) const {
    if (!value_.is_object() && !value_.is_bool()) refuse(std::string(no_schema));
    return keep(all_.subschema(value_, owner_, name_), applies_to);
}

node const* definition::schema_below(
    std::string_view step, json::value const& at, target applies_to
) const {
    return keep(all_.subschema(at, owner_, name_, step), applies_to);
}

std::vector<node const*> definition::schemas(target applies_to) const {
    std::vector<node const*> compiled;
    for (auto const& each : list())
        compiled.push_back(schema_below(std::to_string(compiled.size()), each, applies_to));
    if (compiled.empty()) refuse("must not be empty");
    return compiled;
}

std::vector<std::pair<std::string, node const*>> definition::named_schemas(target applies_to
) const {
    std::vector<std::pair<std::string, node const*>> compiled;
    for (auto const& [name, each] : object())
        compiled.emplace_back(text_of(name), schema_below(text_of(name), each, applies_to));
    return compiled;
}

std::shared_ptr<link const> definition::reference() const {
    auto to = text();
    if (!value_.is_string()) return std::make_shared<link>();
    return all_.reference(std::move(to), pointer(), owner_);
}

void definition::add_anchor() const {
    if (auto const name = text(); !name.empty()) all_.add_anchor(name, owner_);
}

} // namespace postrider::agent::json_schema
