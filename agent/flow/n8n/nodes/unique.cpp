#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view unique_types[]{"removeDuplicates"};

void map_unique(translation& in) {
    in.become("items.unique");
    in.draft.outputs = {"main", "repeated"};
    auto const operation = in.word("operation", "removeDuplicateInputItems");
    if (operation == "clearDeduplicationHistory")
        return in.become_placeholder("it forgot the items that were seen");
    if (operation == "removeItemsSeenInPreviousExecutions") {
        in.put_value("among", "earlier");
        in.put("by", "dedupeValue");
        return;
    }
    auto const fields = in.word("fieldsToCompare");
    if (in.word("compare", "allFields") != "selectedFields" || fields.empty()) return;
    boost::json::array by;
    for (auto rest = std::string_view(fields); !rest.empty();) {
        auto name = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
        while (name.starts_with(' ')) name.remove_prefix(1);
        if (!name.empty()) by.push_back(boost::json::value(in_braces(in.field("by", name))));
    }
    in.put_value("by", std::move(by));
}

} // namespace

extern constinit mapping const unique_mapping{
    .types = unique_types, .map = map_unique, .items = passing::same};

} // namespace postrider::agent::flow::n8n
