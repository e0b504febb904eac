#pragma once
// The names and ids that nodes have here, and what of their items is called otherwise.
#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

// Unique among both, each name on one line and at most 100 characters long.
class naming {
public:
    explicit naming(workflow const& flow);

    std::string const& name_of(std::size_t node) const { return names_[node]; }
    std::string const& id_of(std::size_t node) const { return ids_[node]; }
    // Of a node more.
    std::string add_name(std::string name);
    std::string add_id(std::string_view name);

private:
    std::vector<std::string> names_;
    std::vector<std::string> ids_;
    std::vector<std::string> taken_; // sorted
};

// Where the expressions of one node stand.
class place_in_workflow final : public surroundings {
public:
    place_in_workflow(workflow const& flow, naming const& names, std::size_t node)
        : flow_(flow),
          names_(names),
          node_(node) {}

    std::string node_name(std::string_view name) const override;
    renamed_members renamed_of(std::string_view node) const override;
    renamed_members renamed_here() const override;

private:
    renamed_members renamed_into(std::size_t node, std::vector<bool>& seen) const;
    renamed_members renamed_from(std::size_t node, std::vector<bool>& seen) const;

    workflow const& flow_;
    naming const& names_;
    std::size_t node_;
};

} // namespace postrider::agent::flow::n8n
