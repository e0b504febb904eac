#pragma once
// Private to agent/models: OpenAI's two APIs as pure functions.
// Source: npm openai 7.55.0 (2026-11-10); the documentation of Ollama, llama.cpp and vLLM for what
// compatible servers do differently.
#include "agent/models/wire.hpp"
#include "base/json/json.hpp"

namespace postrider::agent::openai {

// As servers take an image in place of its address.
std::string data_url(shown_image const& image);

// The body for POST /responses. Nothing is stored on their side: the history is ours. What holds
// only now is the last item of the input.
std::string responses_body(chat_request const& request, wire_peer const& peer);
// invalid: no response; what a failed response tells otherwise.
base::result<wire_reply> read_response(std::string_view body, wire_peer const& peer);

// The body for POST /chat/completions. Reasoning models of the vendor refuse the max_tokens that
// older compatible servers need. What holds only now is a last message to the vendor, and the end of
// the last message to others: the templates of many local models take no other message there.
std::string chat_body(chat_request const& request, wire_peer const& peer);
base::result<wire_reply> read_completion(std::string_view body, wire_peer const& peer);

std::string_view choice_of(tool_choice choice);

// Of a message or a piece of one: a string, or parts of which only the texts matter.
std::string text_of(base::json_reader const& content);

std::shared_ptr<wire::stream> responses_stream(text_listener hear, std::string model);
std::shared_ptr<wire::stream> completion_stream_of(text_listener hear, std::string model);

// True for the models whose reasoning can be carried in encrypted form; others answer 400 when it
// is asked for. They refuse a temperature.
bool reasons(std::string_view model);

} // namespace postrider::agent::openai
