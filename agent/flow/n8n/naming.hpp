#pragma once
// The names and ids that nodes have here, and what of their items is called otherwise.
#include "agent/flow/n8n/mapping.hpp"
#include "agent/flow/n8n/unique_names.hpp"

#include <map>
#include <string>
#include <vector>

namespace postrider::agent::flow::n8n {

// Unique among both, each name on one line and at most 100 characters long.
class naming {
public:
    explicit naming(workflow const& flow);

    std::string const& name_of(std::size_t node) const { return names_[node]; }
    std::string const& id_of(std::size_t node) const { return ids_[node]; }
    // Of a node more.
    std::string add_name(std::string_view name);
    std::string add_id(std::string_view name);

private:
    std::vector<std::string> names_;
    std::vector<std::string> ids_;
    unique_names taken_;
};

// The members of items that are called otherwise here, by node. The workflow and the names outlive it.
class renamed_items {
public:
    renamed_items(workflow const& flow, naming const& names) : flow_(flow), names_(names) {}

    // Of what comes to a node, and of what comes out of it. Each is looked for once.
    renamed_members into(std::size_t node);
    renamed_members out_of(std::size_t node);

private:
    // Of a node, without those in front of it.
    struct own_members {
        bool passes = false; // what comes to it
        renamed_members members = {};
        // Of names that the parameters have.
        std::vector<std::pair<std::string, std::string>> texts = {};
        std::vector<renamed_member> named = {};
    };

    own_members const& own(std::size_t node);
    renamed_members search(std::size_t node, bool incoming);

    workflow const& flow_;
    naming const& names_;
    std::map<std::size_t, own_members> own_;
    std::map<std::size_t, renamed_members> into_;
    std::map<std::size_t, renamed_members> out_of_;
};

// Where the expressions of one node stand.
class place_in_workflow final : public surroundings {
public:
    place_in_workflow(
        workflow const& flow, naming const& names, renamed_items& renamed, std::size_t node
    )
        : flow_(flow),
          names_(names),
          renamed_(renamed),
          node_(node) {}

    std::string node_name(std::string_view name) const override;
    renamed_members renamed_of(std::string_view node) const override;
    renamed_members renamed_here() const override { return renamed_.into(node_); }
    std::string waiting_node() const override;

private:
    workflow const& flow_;
    naming const& names_;
    renamed_items& renamed_;
    std::size_t node_;
};

} // namespace postrider::agent::flow::n8n
