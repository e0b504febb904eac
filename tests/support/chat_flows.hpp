#pragma once
// Flows for people who chat over the API, as tests publish them.
#include <string_view>

namespace postrider::tests {

// Says its own words, without an agent.
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
