#pragma once
// Private to agent/models: Anthropic's Messages API as pure functions.
// Source: @anthropic-ai/sdk 1.11.0 (2026-11-19), platform.claude.com (autumn 2026).
#include "agent/models/wire.hpp"

namespace postrider::agent::anthropic {

// The first version since the one before, and what is sent unless the configuration says otherwise.
inline constexpr std::string_view newest_version = "2026-10-21";
inline constexpr std::string_view first_version = "2023-06-01";

// The JSON body. The content of messages is always blocks, and what is sent again is sent alike. The
// tools, the system prompt and the last message are marked for the prompt cache.
//
// It never holds top_p or top_k, and a temperature only in the first version and for the models that
// take one: the newest version refuses all three with 400, whatever the value.
std::string request_body(chat_request const& request, wire_peer const& peer);

// invalid: no message. Errors inside an answer of status 200 come back as such.
base::result<wire_reply> read_reply(std::string_view body, wire_peer const& peer);

std::shared_ptr<wire::stream> stream_of(text_listener hear, std::string model);

// True for the models that answer 400 to any temperature but 1, in whatever version.
bool refuses_temperature(std::string_view model);

} // namespace postrider::agent::anthropic
