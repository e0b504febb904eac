#include "agent/flow/n8n/mapping.hpp"
#include "agent/flow/n8n/unique_names.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view switch_types[]{"switch"};

constexpr std::size_t most_rules = 50;

struct switch_rules {
    boost::json::array rows = {};
    unique_names names = output_names();

    std::string add(std::string name, boost::json::value condition) {
        if (name.empty()) name = std::to_string(rows.size());
        name = names.add(short_name(name, 50), " ");
        rows.push_back({{"name", name}, {"condition", std::move(condition)}});
        return name;
    }
};

std::string name_of_rule(boost::json::object const& rule) {
    auto const* name = rule.if_contains("outputKey");
    return name && name->is_string() ? std::string(name->get_string()) : std::string();
}

// rules.values, each with conditions.
void map_rules(translation& in, boost::json::array const& rules, switch_rules& all_rules) {
    for (auto const& rule : rules) {
        auto const* object = rule.if_object();
        auto const* filter = object ? object->if_contains("conditions") : nullptr;
        if (!filter || all_rules.rows.size() == most_rules) continue;
        auto const key = fmt::format("rules/{}/condition", all_rules.rows.size());
        auto const text = in.condition(key, *filter);
        in.draft.outputs.push_back(all_rules.add(
            name_of_rule(*object), boost::json::value(text ? in_braces(*text) : "{{ false }}")
        ));
    }
}

// value1 is compared with value2 of each rule; several rules may share an output.
void map_old_rules(translation& in, boost::json::array const& rules, switch_rules& all_rules) {
    std::vector<std::string> conditions;
    auto const kind = in.word("dataType", "number");
    for (std::size_t i = 0; i < rules.size(); ++i) {
        auto const* object = rules[i].if_object();
        if (!object) continue;
        auto const* output = object->if_contains("output");
        auto const index = output && output->is_int64()
                               ? static_cast<std::size_t>(output->get_int64())
                           : in.node().version >= 2 ? i
                                                    : 0;
        if (index >= most_rules) continue;
        if (conditions.size() <= index) conditions.resize(index + 1);
        auto entry = *object;
        if (auto const* value = in.find("value1")) entry["value1"] = *value;
        if (auto* operation = entry.if_contains("operation"); operation && operation->is_string())
            if (operation->get_string().starts_with("=")) operation->get_string().erase(0, 1);
        boost::json::object filter;
        if (!entry.contains("operation")) entry["operation"] = "equal";
        filter[kind] = boost::json::array{entry};
        auto const text = in.condition(fmt::format("rules/{}/condition", index), filter);
        auto& all = conditions[index];
        all += (all.empty() ? "" : " || ") + text.value_or("false");
    }
    for (auto const& condition : conditions)
        in.draft.outputs.push_back(all_rules.add(
            "", boost::json::value(in_braces(condition.empty() ? "false" : condition))
        ));
}

void map_switch(translation& in) {
    in.become("switch");
    in.draft.outputs.clear();
    switch_rules all_rules;
    auto const* rules = in.find("rules.values");
    auto const* old_rules = in.find("rules.rules");
    auto const count = in.number("numberOutputs").value_or(in.number("outputsAmount").value_or(4));
    if (in.word("mode") == "expression") {
        auto const* output = in.find("output");
        auto const value = output ? in.operand("rules", *output) : std::nullopt;
        for (int i = 0; i < count && i < static_cast<int>(most_rules); ++i)
            in.draft.outputs.push_back(all_rules.add(
                "",
                boost::json::value(
                    value ? in_braces(fmt::format("({}) == {}", value->source, i)) : "{{ false }}"
                )
            ));
    } else if (rules && rules->is_array()) {
        map_rules(in, rules->get_array(), all_rules);
    } else if (old_rules && old_rules->is_array()) {
        map_old_rules(in, old_rules->get_array(), all_rules);
    }
    if (all_rules.rows.empty()) in.draft.outputs.push_back(all_rules.add("", "{{ false }}"));
    auto const fallback = in.number("fallbackOutput");
    // n8n's number of the output for what fits no rule; that of a rule is the rule's own.
    if (fallback && *fallback >= 0 && *fallback < static_cast<double>(in.draft.outputs.size()))
        in.warn("n8n_parameter", "rules", "what fits no rule goes to \"otherwise\"");
    in.draft.outputs.push_back("otherwise");
    in.put_value("rules", std::move(all_rules.rows));
}

} // namespace

extern constinit mapping const switch_mapping{
    .types = switch_types, .map = map_switch, .items = passing::same};

} // namespace postrider::agent::flow::n8n
