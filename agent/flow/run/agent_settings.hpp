#pragma once
// An agent node's parameters as the loop uses them. Pure.
#include "agent/describe/bounds.hpp"
#include "agent/flow/document/definition.hpp"
#include "agent/flow/model_failure_policy.hpp"
#include "agent/json_schema/json_schema.hpp"
#include "agent/models/model.hpp"
#include "agent/talk/image.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>

namespace postrider::agent::flow {

struct agent_settings {
    std::string system_prompt;
    std::string prompt;
    std::optional<std::vector<image_source>> images = {}; // none: those of the item
    int max_iterations = bounds::iterations.usual;
    int max_tool_calls = bounds::tool_calls.usual;
    int max_repeats = bounds::repeats.usual;
    tool_choice choice = tool_choice::automatic;
    // "when_model_fails". Fixed words and rules are text and no JSON of a schema: with a schema it is `fail`.
    model_failure_policy when_model_fails = model_failure_policy::fail;
    bool has_rules() const noexcept { return when_model_fails == model_failure_policy::rules; }
    std::string timezone = "UTC"; // of the person, for the rules
    // People see only what its tools send ("speaks": "tools"). Fixed words and rules would be an answer in
    // text: there `when_model_fails` is `fail`.
    bool speaks_by_tools = false;
    bool nudges = false;       // a model that sent nothing
    bool knows_message = true; // that started the execution: the model gets the notes on it
    // "output_format": "json_schema"
    boost::json::object schema_text = {};
    std::optional<json_schema::schema> schema = {};

    // What the system prompt says of the answer's form; "" for plain text.
    std::string format_instructions() const;
    // The JSON in the answer, whatever words or fences stand around it. invalid: the detail tells the
    // model what to mend, and is for nobody else.
    base::result<boost::json::value> read_answer(std::string_view text) const;
};

// The flow has agents, and all of them speak by tools alone. Disabled ones do not count.
bool speaks_by_tools(definition const& flow);

// invalid: a schema that does not compile.
base::result<agent_settings> agent_settings_from(boost::json::object parameters);

} // namespace postrider::agent::flow
