#pragma once
// The types that a process knows, by name and version: the newest of each, and older ones that
// flows may still name. Read-only once built; types stay where they are when the catalog moves.
#include "agent/flow/node_type.hpp"
#include "agent/flow/parameter_rules.hpp"
#include "agent/json_schema/json_schema.hpp"

#include <map>

namespace postrider::agent::flow {

class catalog {
public:
    // A schema that does not compile, or a version that is there already, is a defect:
    // std::logic_error. A part's group and output follow from its kind, whatever the type says.
    void add(node_type type);

    node_type const* find(std::string_view name, int version) const noexcept;
    // Of the newest version.
    node_type const* find(std::string_view name) const noexcept;
    std::vector<node_type const*> all() const; // by group, name and version

    // Of a type that find() or all() gave.
    json_schema::schema const& schema_of(node_type const& type) const;
    std::vector<parameter_rule> const& rules_of(node_type const& type) const;

private:
    struct entry {
        node_type type;
        json_schema::schema schema;
        std::vector<parameter_rule> rules;
    };
    entry const& entry_of(node_type const& type) const;

    std::map<std::string, std::map<int, entry>, std::less<>> types_;
};

// The types of this program: nodes/node_types.def.
catalog builtin_types();

} // namespace postrider::agent::flow
