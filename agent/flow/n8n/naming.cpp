#include "agent/flow/n8n/naming.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::size_t longest_name = 90; // bytes, with room for a number

std::string one_line_name(std::string_view name) {
    std::string result(base::cut_at_character(name, longest_name));
    for (auto& c : result)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return result;
}

// The name, or with a number.
std::string free_name(std::string name, std::vector<std::string>& taken, char separator) {
    auto const base = name;
    auto place = std::ranges::lower_bound(taken, name);
    for (int n = 2; place != taken.end() && *place == name; ++n) {
        name = base + separator + std::to_string(n);
        place = std::ranges::lower_bound(taken, name);
    }
    taken.insert(place, name);
    return name;
}

bool passes_items(mapping const& by, translation const& in) {
    if (by.items == passing::same) return true;
    return by.items == passing::kept && by.keeps && by.keeps(in);
}

} // namespace

naming::naming(workflow const& flow) {
    for (auto const& node : flow.nodes)
        names_.push_back(free_name(one_line_name(node.name), taken_, ' '));
    for (std::size_t i = 0; i < names_.size(); ++i) {
        auto const id = identifier_of(names_[i]);
        // A node's own name may be its id.
        ids_.push_back(
            id == names_[i] && std::ranges::find(ids_, id) == ids_.end() ? id : add_id(id)
        );
    }
}

std::string naming::add_name(std::string name) {
    return free_name(one_line_name(name), taken_, ' ');
}

std::string naming::add_id(std::string_view name) {
    return free_name(identifier_of(name), taken_, '_');
}

std::string place_in_workflow::node_name(std::string_view name) const {
    auto const node = flow_.find(name);
    return node ? names_.name_of(*node) : std::string(name);
}

renamed_members place_in_workflow::renamed_of(std::string_view name) const {
    auto const node = flow_.find(name);
    std::vector<bool> seen(flow_.nodes.size());
    return node ? renamed_from(*node, seen) : renamed_members();
}

renamed_members place_in_workflow::renamed_here() const {
    std::vector<bool> seen(flow_.nodes.size());
    return renamed_into(node_, seen);
}

// Of what comes to a node: as the first of those in front says that has such names. A part reads what its agent
// does.
renamed_members place_in_workflow::renamed_into(std::size_t node, std::vector<bool>& seen) const {
    for (auto const& link : flow_.links) {
        bool const is_part = link.from == node && link.kind != "main" && !seen[link.to];
        if (is_part) {
            seen[link.to] = true;
            if (auto const all = renamed_into(link.to, seen); !all.empty()) return all;
        }
        if (link.to != node || link.kind != "main") continue;
        if (auto const all = renamed_from(link.from, seen); !all.empty()) return all;
    }
    return {};
}

renamed_members place_in_workflow::renamed_from(std::size_t node, std::vector<bool>& seen) const {
    if (seen[node]) return {};
    seen[node] = true;
    auto const* by = find_mapping(flow_.nodes[node].short_type());
    if (!by) return {};
    std::vector<problem> problems;
    translation const in(flow_, node, *this, problems);
    if (flow_.nodes[node].disabled || passes_items(*by, in)) return renamed_into(node, seen);
    return by->renamed ? by->renamed(in) : renamed_members();
}

} // namespace postrider::agent::flow::n8n
