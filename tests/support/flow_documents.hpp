#pragma once
// Flows that several tests publish.
#include <fmt/format.h>

#include <string>
#include <string_view>

namespace postrider::tests {

// A flow that is started by hand and does nothing.
inline std::string manual_flow(std::string_view name, std::string_view description = "") {
    return fmt::format(
        R"({{"format": 1, "name": "{}", "description": "{}",
             "nodes": [{{"id": "in", "name": "In", "type": "manual"}}]}})",
        name,
        description
    );
}

// For people who chat over the API. Says its own words, without an agent.
inline constexpr std::string_view parrot = R"({"format": 1, "name": "parrot",
    "nodes": [
        {"id": "in", "name": "In", "type": "chat"},
        {"id": "out", "name": "Out", "type": "telegram.send",
         "parameters": {"text": "You said: {{ $json.text }}"}}],
    "connections": [{"from": "in", "to": "out"}]})";

// Waits for an answer.
inline constexpr std::string_view asking = R"({"format": 1, "name": "asking",
    "nodes": [
        {"id": "in", "name": "In", "type": "chat"},
        {"id": "ask", "name": "Ask", "type": "telegram.ask",
         "parameters": {"text": "Tea?", "choices": [{"name": "yes"}, {"name": "no"}]}},
        {"id": "tea", "name": "Tea", "type": "telegram.send", "parameters": {"text": "Here it is."}}],
    "connections": [{"from": "in", "to": "ask"}, {"from": "ask", "output": "yes", "to": "tea"}]})";

// Fails, for a reason that is none of a person's.
inline constexpr std::string_view broken = R"({"format": 1, "name": "broken",
    "nodes": [
        {"id": "in", "name": "In", "type": "chat"},
        {"id": "end", "name": "End", "type": "stop", "parameters": {"message": "the inner secret"}}],
    "connections": [{"from": "in", "to": "end"}]})";

} // namespace postrider::tests
