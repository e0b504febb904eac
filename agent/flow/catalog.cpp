#include "agent/flow/catalog.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace postrider::agent::flow {

void catalog::add(node_type type) {
    auto schema = json_schema::compile(type.parameters);
    if (!schema)
        throw std::logic_error(
            "parameters of " + type.name + ": " + json_schema::to_text(schema.error())
        );
    if (auto const* part = std::get_if<flow::part>(&type.behaviour)) {
        std::string const kind(part->kind->name);
        type.group = group::part;
        type.outputs = {{.name = kind, .type = kind, .title = "to what it hangs on"}};
    }
    auto& versions = types_[type.name];
    auto const version = type.version;
    auto rules = parameter_rules_of(type.parameters);
    auto const [there, fresh] =
        versions.try_emplace(version, entry{std::move(type), *schema, std::move(rules)});
    if (!fresh) throw std::logic_error(there->second.type.name + " is added twice");
}

node_type const* catalog::find(std::string_view name, int version) const noexcept {
    auto const versions = types_.find(name);
    if (versions == types_.end()) return nullptr;
    auto const entry = versions->second.find(version);
    return entry == versions->second.end() ? nullptr : &entry->second.type;
}

node_type const* catalog::find(std::string_view name) const noexcept {
    auto const versions = types_.find(name);
    return versions == types_.end() ? nullptr : &versions->second.rbegin()->second.type;
}

std::vector<node_type const*> catalog::all() const {
    std::vector<node_type const*> types;
    for (auto const& [name, versions] : types_)
        for (auto const& [version, registered] : versions) types.push_back(&registered.type);
    std::ranges::stable_sort(types, {}, [](node_type const* type) {
        auto const* part = std::get_if<flow::part>(&type->behaviour);
        return std::pair(type->group, part ? part->kind->place : 0);
    });
    return types;
}

catalog::entry const& catalog::entry_of(node_type const& type) const {
    return types_.find(type.name)->second.at(type.version);
}

json_schema::schema const& catalog::schema_of(node_type const& type) const {
    return entry_of(type).schema;
}

std::vector<parameter_rule> const& catalog::rules_of(node_type const& type) const {
    return entry_of(type).rules;
}

} // namespace postrider::agent::flow
