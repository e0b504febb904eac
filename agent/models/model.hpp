#pragma once
// One interface for every provider: chat(messages, tools) → one reply format. Provider code lives
// in the provider's own file; nothing outside agent/models knows a vendor's wire format.
//
// Errors of chat(): rate_limited and overloaded (with retry_after when told), timeout, unavailable,
// refused (content policy), invalid (our request, or an answer that cannot be read), unauthorized,
// budget (quota or spend limit), not_found (no such model). A call whose answer was lost comes back
// as unavailable: asking again costs money, never harm.
#include "base/async.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

enum class role { system, user, assistant, tool };
std::string_view to_string(role r) noexcept;
std::optional<role> role_from_string(std::string_view name) noexcept;

struct tool_call {
    std::string id; // the provider's, or made by us when it gave none
    std::string name;
    boost::json::value arguments; // an object; null when the model's text was no JSON object
    std::string raw;              // the model's text, only when arguments is null
};

struct chat_message {
    agent::role role = agent::role::user;
    std::string content = {};
    std::vector<tool_call> calls = {};      // assistant
    std::string call_id = {};               // tool: which call this answers
    bool is_error = false;                  // tool: the result is an error text
    boost::json::value provider_state = {}; // assistant: {"model":…, "blocks":…} to be sent back
                                            // unchanged to the same model
};

struct tool_spec {
    std::string name;
    std::string description;
    boost::json::object parameters; // JSON Schema, type object
};

// Gets what a model says, piece by piece, while it says it; on the executor's thread, and not after
// chat() has ended.
using text_listener = std::function<void(std::string_view text)>;

enum class tool_choice { automatic, required, none };

struct chat_request {
    std::string system;
    std::vector<chat_message> messages;
    std::vector<tool_spec> tools;
    tool_choice choice = tool_choice::automatic;
    int max_tokens = 4096;
    std::optional<double> temperature = {}; // the provider's own unless given
    // The answer is asked for in pieces where this is set. A call that fails may have told some.
    text_listener hear = {};
};

enum class stop_reason { end, tool_calls, length, refusal };
std::string_view to_string(stop_reason reason) noexcept;
std::optional<stop_reason> stop_reason_from_string(std::string_view name) noexcept;

struct token_usage {
    std::int64_t input = 0; // cached ones included
    std::int64_t cached = 0;
    std::int64_t output = 0;
};

struct chat_reply {
    std::string text;
    std::vector<tool_call> calls;
    stop_reason stop = stop_reason::end;
    token_usage usage;
    std::string model; // as the provider named it
    boost::json::value provider_state;
};

struct capabilities {
    bool tools = true;
    bool vision = false;
};

class model {
public:
    virtual ~model() = default;
    virtual std::string const& name() const = 0; // "anthropic/claude-haiku-4-5"
    virtual agent::capabilities capabilities() const = 0;
    // Cancelling the awaiting coroutine closes the connection.
    virtual base::awaitable<base::result<chat_reply>> chat(chat_request request) = 0;
};

} // namespace postrider::agent
