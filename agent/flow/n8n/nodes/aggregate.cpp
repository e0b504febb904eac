#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view aggregate_types[]{"aggregate"};

void map_aggregate(translation& in) {
    in.become("items.aggregate");
    if (in.word("aggregate") == "aggregateAllItemData") {
        in.put_value("into", boost::json::value(in.word("destinationFieldName", "data")));
        if (in.word("include", "allFields") != "allFields")
            in.warn("n8n_parameter", "into", "n8n took some fields of each item only");
        return;
    }
    boost::json::object fields;
    auto const* list = in.find("fieldsToAggregate.fieldToAggregate");
    for (std::size_t i = 0; list && list->is_array() && i < list->get_array().size(); ++i) {
        auto const* entry = list->get_array()[i].if_object();
        auto const* path = entry ? entry->if_contains("fieldToAggregate") : nullptr;
        auto const* name = entry ? entry->if_contains("outputFieldName") : nullptr;
        if (!path || !path->is_string() || path->get_string().empty()) continue;
        auto text = std::string(path->get_string());
        if (text.starts_with('=')) text.erase(0, 1);
        auto const last = text.substr(text.rfind('.') == text.npos ? 0 : text.rfind('.') + 1);
        bool const renamed = name && name->is_string() && !name->get_string().empty();
        fields[renamed ? std::string_view(name->get_string()) : std::string_view(last)] =
            in_braces(in.field("fields", text));
    }
    in.put_value("fields", std::move(fields));
    if (in.is_true("options.keepMissing")) in.put_value("keep_missing", true);
}

} // namespace

extern constinit mapping const aggregate_mapping{.types = aggregate_types, .map = map_aggregate};

} // namespace postrider::agent::flow::n8n
