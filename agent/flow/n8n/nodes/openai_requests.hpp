#pragma once
// What an OpenAI node does beside chatting: one request of OpenAI's API says the same, as its documents had it in
// 2026-11.
#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

// It makes or reads an image by its address, speaks, or writes down what was said.
bool is_openai_request(translation const& in);
void map_openai_request(translation& in);
// An agent's images: the file of the item.
void put_images(translation& in);

} // namespace postrider::agent::flow::n8n
