#pragma once
// Private to agent/models: OpenAI's two APIs as pure functions.
// Source: npm openai 7.55.0 (2026-11-10); the documentation of Ollama, llama.cpp and vLLM for what
// compatible servers do differently.
#include "agent/models/wire.hpp"
#include "base/json.hpp"

namespace postrider::agent::openai {

// The body for POST /responses. Nothing is stored on their side: the history is ours.
boost::json::object responses_body(
    chat_request const& request, model_options const& options, std::string_view echo
);
// invalid: no response; what a failed response tells otherwise.
base::result<chat_reply> read_response(
    std::string_view body, std::string_view model, std::string_view echo
);

// The body for POST /chat/completions; `official` when it goes to OpenAI itself, where reasoning
// models refuse the max_tokens that older compatible servers need.
boost::json::object chat_body(
    chat_request const& request, model_options const& options, bool official
);
base::result<chat_reply> read_completion(std::string_view body, std::string_view model);

// Of a message or a piece of one: a string, or parts of which only the texts matter.
std::string text_of(base::json_reader const& content);

// Null where nobody listens.
std::shared_ptr<wire::stream> responses_stream(text_listener hear, std::string model);
std::shared_ptr<wire::stream> completion_stream_of(text_listener hear);

// True for the models whose reasoning can be carried in encrypted form; others answer 400 when it
// is asked for.
bool reasons(std::string_view model);

} // namespace postrider::agent::openai
