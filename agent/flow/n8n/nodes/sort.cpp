#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view sort_types[]{"sort"};

void map_sort(translation& in) {
    if (in.word("type", "simple") != "simple")
        return in.become_placeholder("it sorted its items by code, or at random");
    in.become("items.sort");
    boost::json::array by;
    auto const* list = in.find("sortFieldsUi.sortField");
    for (std::size_t i = 0; list && list->is_array() && i < list->get_array().size(); ++i) {
        auto const* entry = list->get_array()[i].if_object();
        auto const* name = entry ? entry->if_contains("fieldName") : nullptr;
        auto const* order = entry ? entry->if_contains("order") : nullptr;
        if (!name || !name->is_string()) continue;
        boost::json::object key{{"value", in_braces(in.field("by", name->get_string()))}};
        if (order && order->is_string() && order->get_string() == "descending")
            key["descending"] = true;
        by.push_back(std::move(key));
    }
    if (by.empty()) return in.become_placeholder("it sorted its items");
    in.put_value("by", std::move(by));
}

} // namespace

extern constinit mapping const sort_mapping{
    .types = sort_types, .map = map_sort, .items = passing::same};

} // namespace postrider::agent::flow::n8n
