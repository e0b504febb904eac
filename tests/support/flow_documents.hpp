#pragma once
// Flows that several tests publish.
#include "tests/support/flow_builder.hpp"

#include <boost/json/parse.hpp>

#include <string>
#include <string_view>

namespace postrider::tests {

// A flow that is started by hand and does nothing.
inline std::string manual_flow(std::string_view name, std::string_view description = "") {
    return flow_builder(name).description(description).trigger("In", "manual").text();
}

// For people who chat over the API. Says its own words, without an agent.
inline auto const parrot =
    flow_builder("parrot")
        .trigger("In", "chat")
        .node("Out", "telegram.send", {{"text", "You said: {{ $json.text }}"}})
        .text();

// Waits for an answer.
inline auto const asking =
    flow_builder("asking")
        .trigger("In", "chat")
        .node(
            "Ask",
            "telegram.ask",
            {{"text", "Tea?"},
             {"choices", boost::json::parse(R"([{"name": "yes"}, {"name": "no"}])")}}
        )
        .after("Ask", "yes")
        .node("Tea", "telegram.send", {{"text", "Here it is."}})
        .text();

// Fails, for a reason that is none of a person's.
inline auto const broken = flow_builder("broken")
                               .trigger("In", "chat")
                               .node("End", "stop", {{"message", "the inner secret"}})
                               .text();

} // namespace postrider::tests
