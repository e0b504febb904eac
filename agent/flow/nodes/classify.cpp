#include "agent/flow/nodes/agent.hpp"
#include "agent/flow/nodes/agent_kinds.hpp"
#include "agent/flow/nodes/field_of_item.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::string_view no_category = "otherwise";

json::object category_schema(json::array names, bool several) {
    json::object members{
        {"type", "array"},
        {"items", json::object{{"enum", std::move(names)}}},
        {"uniqueItems", true}};
    if (!several) members["maxItems"] = 1;
    return {
        {"type", "object"},
        {"properties", json::object{{"categories", std::move(members)}}},
        {"required", json::array{"categories"}},
        {"additionalProperties", false},
    };
}

json::object classifier_of(json::object const& parameters) {
    bool const several = parameters.at("several").get_bool();
    std::string prompt = fmt::format(
        "You classify texts. Name {} that fits the text, or none.\n\nThe categories:\n",
        several ? "each category" : "the one category"
    );
    json::array names;
    for (auto const& category : parameters.at("categories").get_array()) {
        names.push_back(category.at("name"));
        prompt.append("- ").append(category.at("name").get_string());
        if (auto const* words = category.get_object().if_contains("description"))
            prompt.append(": ").append(words->get_string());
        prompt += '\n';
    }
    return agent_with_schema(
        parameters, std::move(prompt), category_schema(std::move(names), several)
    );
}

base::awaitable<base::result<outputs>> classify_items(node_run& run) {
    auto const answers = co_await answer_items(run, classifier_of);
    if (!answers) co_return answers.error();
    outputs output;
    for (std::size_t i = 0; i < answers->size(); ++i) {
        auto const& categories = (*answers)[i].json.at("output").at("categories").as_array();
        item const classified{with_field(run.input()[i], "categories", categories)};
        if (categories.empty()) output[std::string(no_category)].push_back(classified);
        for (auto const& name : categories)
            output[std::string(name.as_string())].push_back(classified);
    }
    co_return output;
}

} // namespace

behaviour classify_behaviour() {
    return durable{classify_items};
}

} // namespace postrider::agent::flow
