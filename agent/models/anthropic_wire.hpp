#pragma once
// Private to agent/models: Anthropic's Messages API as pure functions.
// Source: @anthropic-ai/sdk 1.11.0 (2026-11-19), platform.claude.com (autumn 2026).
#include "agent/models/wire.hpp"

namespace postrider::agent::anthropic {

// The JSON body. Never holds temperature, top_p or top_k: version 2026-10-21 refuses them.
// `echo` is the name under which provider_state of this model was stored.
boost::json::object request_body(
    chat_request const& request, model_options const& options, std::string_view echo
);

struct parsed {
    chat_reply reply;
    boost::json::array blocks; // the content as it came
    bool paused = false;       // stop_reason pause_turn: send the blocks back and ask on
};

// invalid: no message. Errors inside an answer of status 200 come back as such.
base::result<parsed> read_reply(std::string_view body, std::string_view echo);

// Null where nobody listens.
std::shared_ptr<wire::stream> stream_of(text_listener hear, std::string model);

} // namespace postrider::agent::anthropic
