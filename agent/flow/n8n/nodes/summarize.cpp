#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view summarize_types[]{"summarize"};

// Of the values of a field: what n8n calls the result, and an expression over the list of them.
struct summary_kind {
    std::string_view name;
    std::string_view prefix;
    std::string_view source;
};
constexpr summary_kind summary_kinds[]{
    {"append", "appended_", "{}"},
    {"average",
     "average_",
     "cel.bind(n, {}.filter(v, type(v) == \"number\"), n == [] ? null : average(n))"},
    {"concatenate", "concatenated_", "{}.map(v, string(v)).join({})"},
    {"count", "count_", "{}.size()"},
    {"countUnique", "unique_count_", "{}.distinct().size()"},
    {"max", "max_", "cel.bind(n, {}.filter(v, type(v) == \"number\"), n == [] ? null : max(n))"},
    {"min", "min_", "cel.bind(n, {}.filter(v, type(v) == \"number\"), n == [] ? null : min(n))"},
    {"sum", "sum_", "sum({}.filter(v, type(v) == \"number\"))"},
};

std::string with_dashes(std::string_view field) {
    std::string name;
    for (char const c : field)
        if (c == ' ' || c == '.')
            name += '_';
        else if (c != '[' && c != ']' && c != '"')
            name += c;
    return name;
}

std::string word_in_entry(
    boost::json::object const& entry, std::string_view key, std::string_view usual
) {
    auto const* value = entry.if_contains(key);
    return value && value->is_string() ? std::string(value->get_string()) : std::string(usual);
}

// The field's values in all items, without those that are empty unless n8n counts them.
std::string summarised_values(translation& in, std::string const& field, bool with_empty) {
    auto of_item = in.field("totals", field);
    constexpr std::string_view item = "$json";
    for (auto at = of_item.find(item); at != of_item.npos; at = of_item.find(item, at + 1))
        of_item.replace(at, item.size(), "i");
    return fmt::format(
        "$input.map(i, {}){}", of_item, with_empty ? "" : ".filter(v, v != null && v != \"\")"
    );
}

void map_summarize(translation& in) {
    if (!in.word("fieldsToSplitBy").empty())
        return in.become_placeholder("it summarised its items by groups");
    boost::json::object totals;
    auto const* list = in.find("fieldsToSummarize.values");
    for (std::size_t i = 0; list && list->is_array() && i < list->get_array().size(); ++i) {
        auto const* entry = list->get_array()[i].if_object();
        if (!entry) continue;
        auto const field = word_in_entry(*entry, "field", "");
        auto const kind = std::ranges::find(
            summary_kinds, word_in_entry(*entry, "aggregation", "count"), &summary_kind::name
        );
        if (field.empty() || is_template(field) || kind == std::end(summary_kinds))
            return in.become_placeholder("it summarised fields whose names are computed");
        auto separator = word_in_entry(*entry, "separateBy", ",");
        if (separator == "other") separator = word_in_entry(*entry, "customSeparator", "");
        auto const* empty = entry->if_contains("includeEmpty");
        bool const with_empty = empty && empty->is_bool() && empty->get_bool();
        auto const source = fmt::format(
            fmt::runtime(kind->source),
            summarised_values(in, field, with_empty),
            text_literal(separator)
        );
        totals[std::string(kind->prefix) + with_dashes(field)] = in_braces(source);
    }
    if (totals.empty()) return in.become_placeholder("it summarised its items");
    in.become("items.aggregate");
    in.put_value("totals", std::move(totals));
}

} // namespace

extern constinit mapping const summarize_mapping{.types = summarize_types, .map = map_summarize};

} // namespace postrider::agent::flow::n8n
