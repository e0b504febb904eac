#pragma once
// One call of a model that a person may stop while it answers. On the executor's one thread. Private to model_call.cpp.
#include "agent/flow/stop_wish.hpp"
#include "agent/models/model.hpp"

#include <optional>
#include <string>

namespace postrider::agent::flow {

// Passes on what is said, and keeps it in `streamed`, which outlives the listener.
text_listener remembering(text_listener hear, std::string& streamed);

// Until the call ends, or the wish is made: the call is cancelled then. Nothing: it was stopped, or never made
// since the wish was made before.
base::awaitable<std::optional<base::result<chat_reply>>> call_unless_stopped(
    base::awaitable<base::result<chat_reply>> call, stop_wish& stop
);

// What a stopped call comes to: its words with `mark` behind them, as a final answer without calls. Of what it used a
// provider says nothing: `input` is our own count.
chat_reply stopped_reply(std::string streamed, std::string_view mark, std::int64_t input);

} // namespace postrider::agent::flow
