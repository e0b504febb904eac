#pragma once
// An agent node's parameters as the loop uses them. Pure.
#include "agent/models/model.hpp"
#include "base/json_schema.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>

namespace postrider::agent::flow {

struct agent_settings {
    std::string system_prompt;
    std::string prompt;
    int max_iterations = 10;
    int max_tool_calls = 50;
    tool_choice choice = tool_choice::automatic;
    // "when_model_fails": "tell": the answer says so in words for the person; else the node fails.
    bool tells_failures = false;
    // "output_format": "json_schema"
    boost::json::object schema_text = {};
    std::optional<base::json_schema::schema> schema = {};

    // What the system prompt says of the answer's form; "" for plain text.
    std::string format_instructions() const;
    // The answer as JSON, with or without a Markdown fence around it. invalid: the detail tells the
    // model what to mend.
    base::result<boost::json::value> read_answer(std::string_view text) const;
};

// invalid: a schema that does not compile.
base::result<agent_settings> agent_settings_from(boost::json::object parameters);

} // namespace postrider::agent::flow
