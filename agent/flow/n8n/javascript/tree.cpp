#include "agent/flow/n8n/javascript/tree.hpp"

namespace postrider::agent::flow::n8n::javascript {

bool same_tree(
    node const& first, node const& second, std::string_view first_name, std::string_view second_name
) {
    if (first.kind != second.kind || first.extra != second.extra || first.names != second.names ||
        first.size() != second.size())
        return false;
    // A name of its own within: both sides would have to be looked at with it.
    for (auto const& name : first.names)
        if (name == first_name || name == second_name) return false;
    bool const swapped = first.is(node_kind::name) && !first_name.empty() &&
                         (first.text == first_name || second.text == second_name);
    if (swapped ? first.text != first_name || second.text != second_name
                : first.text != second.text)
        return false;
    for (std::size_t i = 0; i < first.size(); ++i)
        if (!same_tree(first[i], second[i], first_name, second_name)) return false;
    return true;
}

} // namespace postrider::agent::flow::n8n::javascript
