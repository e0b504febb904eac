#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view merge_types[]{"merge"};

// The field by which items of both inputs are joined.
std::string key_field(translation const& in) {
    auto const simple = in.word("fieldsToMatchString", in.word("propertyName1"));
    if (!simple.empty()) return simple.substr(0, simple.find(','));
    for (std::string_view path : {"mergeByFields.values", "joinByFields.values"}) {
        auto const* list = in.find(path);
        auto const* first = list && list->is_array() && !list->get_array().empty()
                                ? list->get_array()[0].if_object()
                                : nullptr;
        auto const* field = first ? first->if_contains("field1") : nullptr;
        if (field && field->is_string()) return std::string(field->get_string());
    }
    return {};
}

void map_merge(translation& in) {
    in.become("items.merge");
    in.draft.inputs = {"first", "second", "third", "fourth"};
    auto const mode = in.word("mode", "append");
    auto const by = in.word("combineBy", in.word("combinationMode"));
    if (mode == "chooseBranch" || mode == "passThrough" || mode == "wait") {
        in.put_value("mode", "choose");
        if (auto const number = in.number("useDataOfInput"); number && *number >= 1 && *number <= 4)
            in.put_value(
                "choice", boost::json::value(in.draft.inputs[static_cast<std::size_t>(*number) - 1])
            );
        else
            in.put_value("choice", "first");
    } else if (by == "combineByPosition" || by == "mergeByPosition" || mode == "mergeByIndex") {
        in.put_value("mode", "by_position");
        if (in.is_true("options.includeUnpaired")) in.put_value("keep", "all");
    } else if (mode == "combine" || mode == "multiplex" || mode == "mergeByKey" || mode == "enrichInput1") {
        auto const field = key_field(in);
        in.put_value("mode", "by_key");
        // With one key for all, every item of one input meets every item of the other.
        if (field.empty() || by == "combineAll" || by == "multiplex")
            return in.put_value("key", "{{ true }}");
        in.put_value("key", boost::json::value(in_braces(in.field("key", field))));
        auto const join =
            in.word("joinMode", mode == "mergeByKey" ? "enrichInput1" : "keepMatches");
        if (join == "enrichInput1") in.put_value("keep", "first");
        if (join == "keepEverything") in.put_value("keep", "all");
        if (join == "keepNonMatches") in.put_value("keep", "unmatched");
    } else if (mode != "append") {
        in.become_placeholder("it joined items by " + mode);
    }
}

} // namespace

extern constinit mapping const merge_mapping{.types = merge_types, .map = map_merge};

} // namespace postrider::agent::flow::n8n
