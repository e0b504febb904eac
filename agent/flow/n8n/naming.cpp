#include "agent/flow/n8n/naming.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::size_t longest_name = 90; // bytes, with room for a number

bool passes_items(mapping const& type_mapping, translation const& in) {
    if (type_mapping.items == passing::same) return true;
    return type_mapping.items == passing::kept && type_mapping.keeps && type_mapping.keeps(in);
}

} // namespace

naming::naming(workflow const& flow) {
    for (auto const& node : flow.nodes) names_.push_back(add_name(node.name));
    // A node's own name may be its id.
    for (auto const& name : names_)
        ids_.push_back(identifier_of(name) == name ? name : add_id(name));
}

std::string naming::add_name(std::string_view name) {
    return taken_.add(short_name(name, longest_name), " ");
}

std::string naming::add_id(std::string_view name) {
    return taken_.add(identifier_of(name), "_");
}

renamed_members renamed_items::into(std::size_t node) {
    auto const [place, fresh] = into_.try_emplace(node);
    if (fresh) place->second = search(node, true);
    return place->second;
}

renamed_members renamed_items::out_of(std::size_t node) {
    auto const [place, fresh] = out_of_.try_emplace(node);
    if (fresh) place->second = search(node, false);
    return place->second;
}

renamed_items::own_members const& renamed_items::own(std::size_t node) {
    auto const [place, fresh] = own_.try_emplace(node);
    auto& members = place->second;
    if (!fresh) return members;
    members.passes = flow_.nodes[node].disabled;
    auto const* type_mapping = find_mapping(flow_.nodes[node].short_type());
    if (members.passes || !type_mapping) return members;
    place_in_workflow const around(flow_, names_, *this, node);
    problem_list problems(1);
    conversion_budget budget(0);
    translation const in(flow_, node, around, budget, problems);
    members.passes = passes_items(*type_mapping, in);
    if (members.passes) return members;
    if (type_mapping->renamed) members.members = type_mapping->renamed(in);
    if (!type_mapping->named) return members;
    members.texts = type_mapping->named(in);
    for (auto const& [from_name, here] : members.texts) members.named.push_back({from_name, here});
    members.members = members.named;
    return members;
}

// As the first of those in front says that has such names. A part reads what its agent does.
renamed_members renamed_items::search(std::size_t node, bool incoming) {
    struct visit {
        std::size_t node;
        bool takes; // look at what comes to it, whatever comes out
    };
    std::vector<bool> visited(flow_.nodes.size());
    std::vector<bool> seen_as_agent(flow_.nodes.size());
    std::vector<visit> open{{node, incoming}};
    while (!open.empty()) {
        auto const next = open.back();
        open.pop_back();
        if (!next.takes) {
            if (visited[next.node]) continue;
            visited[next.node] = true;
            auto const& items = own(next.node);
            if (!items.members.empty()) return items.members;
            if (!items.passes) continue;
        }
        std::vector<visit> sources;
        for (auto const number : flow_.links_from(next.node)) {
            auto const& link = flow_.links[number];
            if (link.kind == main_connection || seen_as_agent[link.to]) continue;
            seen_as_agent[link.to] = true;
            sources.push_back({link.to, true});
        }
        for (auto const number : flow_.links_to(next.node))
            if (flow_.links[number].kind == main_connection)
                sources.push_back({flow_.links[number].from, false});
        open.insert(open.end(), sources.rbegin(), sources.rend());
    }
    return {};
}

std::string place_in_workflow::node_name(std::string_view name) const {
    auto const node = flow_.find(name);
    return node ? names_.name_of(*node) : std::string(name);
}

// n8n's address is the execution's own: where several nodes wait, nobody knows which is meant.
std::string place_in_workflow::waiting_node() const {
    for (std::size_t i = 0; i < flow_.nodes.size(); ++i) {
        auto const& node = flow_.nodes[i];
        auto const* resume = node.parameters.if_contains("resume");
        if (node.short_type() == "wait" && resume && (*resume == "webhook" || *resume == "form"))
            return names_.name_of(i);
    }
    return {};
}

renamed_members place_in_workflow::renamed_of(std::string_view name) const {
    auto const node = flow_.find(name);
    return node ? renamed_.out_of(*node) : renamed_members();
}

} // namespace postrider::agent::flow::n8n
