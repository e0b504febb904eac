// What has come to a node of a walk.
#include "agent/flow/run/walk.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

items const& walk::input_of(std::size_t index, items& merged_input) const {
    std::vector<items const*> arrived;
    for (auto edge : graph_.nodes()[index].main_inputs)
        if (carried_[edge]) arrived.push_back(carried_[edge]);
    if (arrived.size() == 1) return *arrived.front();
    for (auto const* port_items : arrived)
        merged_input.insert(merged_input.end(), port_items->begin(), port_items->end());
    if (merged_input.empty()) merged_input = begin_with();
    return merged_input;
}

namespace {

// A flow that watches a group sees each message that its mailbox joined to this one.
items items_of(heard_message const& heard, std::string_view text) {
    items seen_items;
    for (auto const& earlier : heard.joined)
        if (!earlier.item.empty()) seen_items.push_back({earlier.item});
    seen_items.push_back({item_of(heard, text)});
    return seen_items;
}

} // namespace

// What started the execution, as an item.
items walk::begin_with() const {
    items trigger_items;
    auto const& input = context_.input;
    auto const& question = context_.conversation.question();
    if (!input.data.is_null())
        trigger_items.push_back({input.data});
    else if (input.heard)
        trigger_items = items_of(*input.heard, question);
    else
        trigger_items.push_back({json::object{}});
    return trigger_items;
}

std::string_view walk::input_port(std::size_t index, std::size_t item) const {
    for (auto edge : graph_.nodes()[index].main_inputs) {
        auto const* port_items = carried_[edge];
        if (!port_items) continue;
        if (item < port_items->size()) return graph_.flow().connections[edge].input;
        item -= port_items->size();
    }
    return {};
}

} // namespace postrider::agent::flow
