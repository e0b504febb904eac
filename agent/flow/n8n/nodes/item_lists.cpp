#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view item_lists_types[]{"itemLists"};

// The first form of several nodes in one.
void map_item_lists(translation& in) {
    static constexpr std::pair<std::string_view, std::string_view> successors[]{
        {"splitOutItems", "splitOut"},
        {"concatenateItems", "aggregate"},
        {"aggregateItems", "aggregate"},
        {"removeDuplicates", "removeDuplicates"},
        {"sort", "sort"},
        {"limit", "limit"}};
    auto const operation = in.word("operation", "splitOutItems");
    for (auto const& [name, type] : successors)
        if (operation == name)
            if (auto const* mapping = find_mapping(type)) return mapping->map(in);
    in.become_placeholder("it worked with lists: " + operation);
}

} // namespace

extern constinit mapping const item_lists_mapping{.types = item_lists_types, .map = map_item_lists};

} // namespace postrider::agent::flow::n8n
