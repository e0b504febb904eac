#pragma once
// What becomes of a type of n8n's: one value in nodes/NAME.cpp, and a line in mappings.def.
//
// A type without a mapping, and one whose type of ours this program does not have, becomes a disabled
// placeholder, which says what it did and keeps its parameters.
#include "agent/flow/n8n/translation.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::agent::flow::n8n {

// Whose items come out of a node.
enum class passing {
    own,  // new ones
    same, // those that came in
    kept, // those that came in, with more fields, where the parameters say so
};

struct mapping {
    // Of n8n, without their packages.
    std::span<std::string_view const> types;
    // Fills in the draft: its type, parameters and outputs.
    void (*map)(translation& in) = nullptr;
    passing items = passing::own;
    // Members of its items that are called otherwise here.
    renamed_members (*renamed)(translation const& in) = nullptr;
    // The same, where they depend on the parameters.
    std::vector<std::pair<std::string, std::string>> (*named)(translation const& in) = nullptr;
    // Its own items, or those that came in: of `kept`.
    bool (*keeps)(translation const& in) = nullptr;
    bool is_vendor = false; // its types are those of services of somebody else's
};

std::span<mapping const* const> mappings() noexcept;
// Null: there is none.
mapping const* find_mapping(std::string_view short_type) noexcept;

// What counts of a workflow, for the table in docs/n8n.md.
enum class node_class {
    note,
    code,   // JavaScript or Python
    vendor, // a service of somebody else's
    common, // everything else
};
node_class class_of(workflow_node const& node) noexcept;

} // namespace postrider::agent::flow::n8n
