#include "agent/flow/run/agent_settings.hpp"

#include "base/json.hpp"

#include <boost/json/serialize.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

tool_choice choice_from(std::string_view name) {
    if (name == "required") return tool_choice::required;
    return name == "none" ? tool_choice::none : tool_choice::automatic;
}

// ```json … ``` is what models like to write.
std::string_view without_fence(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    constexpr std::string_view fence = "```";
    auto const trim = [&](std::string_view of) {
        auto const first = of.find_first_not_of(blank);
        if (first == of.npos) return std::string_view{};
        return of.substr(first, of.find_last_not_of(blank) - first + 1);
    };
    text = trim(text);
    if (!text.starts_with(fence) || !text.ends_with(fence) || text.size() < 2 * fence.size())
        return text;
    auto const line = text.find('\n');
    if (line == text.npos) return text;
    return trim(text.substr(line, text.size() - fence.size() - line));
}

} // namespace

std::string agent_settings::format_instructions() const {
    if (!schema) return {};
    return "\n\nAnswer with one JSON value and nothing else. It must fit this JSON Schema:\n" +
           json::serialize(schema_text);
}

base::result<json::value> agent_settings::read_answer(std::string_view text) const {
    auto value = base::parse_json(without_fence(text));
    if (!value)
        return base::error(
            base::errc::invalid, "The answer is not JSON. Answer with the JSON value alone."
        );
    auto const wrong = schema->check(*value);
    if (wrong.empty()) return std::move(*value);
    return base::error(
        base::errc::invalid,
        "The answer does not fit the schema:\n" + base::json_schema::to_text(wrong, "the answer") +
            "\nAnswer again, with the whole JSON value."
    );
}

base::result<agent_settings> agent_settings_from(json::object parameters) {
    json::value const all = std::move(parameters);
    base::json_reader from{all};
    agent_settings made;
    made.system_prompt = from["system_prompt"].string_or("");
    made.prompt = from["prompt"].string_or("");
    made.max_iterations = static_cast<int>(from["max_iterations"].int64_or(made.max_iterations));
    made.max_tool_calls = static_cast<int>(from["max_tool_calls"].int64_or(made.max_tool_calls));
    made.choice = choice_from(from["tool_choice"].string_or("auto"));
    made.tells_failures = from["when_model_fails"].string_or("fail") == "tell";
    if (from["output_format"].string_or("text") != "json_schema") return made;
    auto const* schema = from["schema"].raw();
    made.schema_text = schema && schema->is_object() ? schema->get_object() : json::object{};
    auto compiled = base::json_schema::compile(made.schema_text);
    if (!compiled)
        return base::error(base::errc::invalid, base::json_schema::to_text(compiled.error()));
    made.schema = std::move(*compiled);
    return made;
}

} // namespace postrider::agent::flow
