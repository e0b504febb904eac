#include "agent/flow/run/agent_settings.hpp"

#include "agent/loop/find_json.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::string_view by_tools = "tools"; // of "speaks"

tool_choice choice_from(std::string_view name) {
    if (name == "required") return tool_choice::required;
    return name == "none" ? tool_choice::none : tool_choice::automatic;
}

} // namespace

std::string agent_settings::format_instructions() const {
    if (!schema) return {};
    return "\n\nAnswer with one JSON value and nothing else. It must fit this JSON Schema:\n" +
           base::json_text(schema_text);
}

base::result<json::value> agent_settings::read_answer(std::string_view text) const {
    auto const json_answer =
        find_json(text, [&](auto const& value) { return schema->check(value).empty(); });
    if (!json_answer)
        return base::error(
            base::errc::invalid, "The answer is not JSON. Answer with the JSON value alone."
        );
    auto const violations = schema->check(*json_answer);
    if (violations.empty()) return *json_answer;
    return base::error(
        base::errc::invalid,
        "The answer does not fit the schema:\n" + json_schema::to_text(violations, "the answer") +
            "\nAnswer again, with the whole JSON value."
    );
}

bool speaks_by_tools(definition const& flow) {
    bool has_agents = false;
    for (auto const& node : flow.nodes) {
        if (node.type != "agent" || node.disabled) continue;
        auto const* speaks = node.parameters.if_contains("speaks");
        if (!speaks || *speaks != json::value(by_tools)) return false;
        has_agents = true;
    }
    return has_agents;
}

base::result<agent_settings> agent_settings_from(json::object parameters) {
    json::value const values = std::move(parameters);
    base::json_reader fields{values};
    agent_settings settings;
    settings.system_prompt = fields["system_prompt"].string_or("");
    settings.prompt = fields["prompt"].string_or("");
    if (fields["images"]) settings.images = images_from(fields["images"].raw());
    settings.max_iterations =
        static_cast<int>(fields["max_iterations"].int64_or(settings.max_iterations));
    settings.max_tool_calls =
        static_cast<int>(fields["max_tool_calls"].int64_or(settings.max_tool_calls));
    settings.max_repeats = static_cast<int>(fields["max_repeats"].int64_or(settings.max_repeats));
    settings.choice = choice_from(fields["tool_choice"].string_or("auto"));
    settings.when_model_fails =
        chosen(model_failure_choices(), fields["when_model_fails"].string_or(""))
            .value_or(settings.when_model_fails);
    settings.timezone = fields["timezone"].string_or(settings.timezone);
    settings.speaks_by_tools = fields["speaks"].string_or("") == by_tools;
    settings.nudges = fields["nudge"].boolean_or(false);
    if (settings.speaks_by_tools) settings.when_model_fails = model_failure_policy::fail;
    if (fields["output_format"].string_or("text") != "json_schema") return settings;
    settings.speaks_by_tools = false; // the JSON is for the nodes behind it
    settings.when_model_fails = model_failure_policy::fail;
    auto const* schema = fields["schema"].raw();
    settings.schema_text = schema && schema->is_object() ? schema->get_object() : json::object{};
    auto compiled = json_schema::compile(settings.schema_text);
    if (!compiled) return base::error(base::errc::invalid, json_schema::to_text(compiled.error()));
    settings.schema = std::move(*compiled);
    return settings;
}

} // namespace postrider::agent::flow
