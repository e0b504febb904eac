#pragma once
// One interface for every provider: chat(messages, tools) → one reply format. Provider code lives
// in the provider's own file (provider.hpp); nothing outside agent/models knows a vendor's wire
// format.
//
// What was sent once is, byte for byte, the beginning of the next request of the conversation, so
// that prompt caches hold it: only chat_request::trailing_context changes from call to call, and it
// is said last.
//
// Errors of chat(): rate_limited and overloaded (with retry_after when told), timeout, unavailable,
// refused (content policy), invalid (our request, or an answer that cannot be read), unauthorized,
// budget (quota or spend limit), not_found (no such model), context_too_long (a shorter history may
// be read). A call whose answer was lost comes back as unavailable: asking again costs money, never
// harm.
#include "agent/models/tool_list.hpp"
#include "base/async.hpp"
#include "base/ids.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

enum class role { system, user, assistant, tool };
std::string_view to_string(role r) noexcept;
std::optional<role> role_from_string(std::string_view name) noexcept;

// Who makes a call. What rules look up, a person is not shown.
enum class call_author { model, rules, lookup };

struct tool_call {
    std::string id; // the provider's, or made by us when it gave none
    std::string name;
    boost::json::value arguments; // an object; null when the model's text was none that can be used
    std::string raw;              // the model's text, only when arguments is null
    call_author by = call_author::model;
};
// What keeps the arguments from being used, for the model to mend; "" = nothing.
std::string_view unusable_arguments(tool_call const& call);

// What a model sees beside a message's words. Copies share it.
struct shown_image {
    std::string media_type; // "image/png"
    std::shared_ptr<std::string const> base64;
};

// The text of a file that came with a message.
struct attached_text {
    std::string name;
    std::string text;

    bool operator==(attached_text const&) const = default;
};

struct chat_message {
    agent::role role = agent::role::user;
    std::string content = {};
    std::vector<tool_call> calls = {};      // assistant
    std::string call_id = {};               // tool: which call this answers
    bool is_error = false;                  // tool: the result is an error text
    std::string error_reason = {};          // of that: base::error::reason; "" = the tool's own
    boost::json::value provider_state = {}; // assistant: {"model":…, "blocks":…} to be sent back
                                            // unchanged to the same model
    // assistant: what an answer by rules leaves open for the next message, as they wrote it; null = nothing
    boost::json::value left_open = {};
    std::vector<shown_image> images = {}; // user
    user_id speaker{};                    // user: who said it; zero where that is not known
    // user: a history has them apart; what is asked of a model has them in its content (loop/attached_texts.hpp)
    std::vector<attached_text> documents = {};
};

// Gets what a model says, piece by piece, while it says it; on the executor's thread, and not after
// chat() has ended. An empty piece takes back those before it: they turned out to be thoughts.
using text_listener = std::function<void(std::string_view text)>;

enum class tool_choice { automatic, required, none };

struct chat_request {
    std::string system;
    std::vector<chat_message> messages;
    tool_list tools;
    tool_choice choice = tool_choice::automatic;
    int max_tokens = 4096;
    // The provider's own unless given. Left out where the model refuses it.
    std::optional<double> temperature = {};
    // What holds only now, such as the time.
    std::string trailing_context = {};
    // JSON Schema that the answer is to fit, for providers that see to it themselves. The reply is
    // not checked against it, and the schema is not told in words.
    std::optional<boost::json::object> answer_schema = {};
    // Of this call, where it is less than the model's own; zero = the model's own.
    std::chrono::milliseconds timeout{0};
    // The answer is asked for in pieces where this is set. A call that fails may have told some.
    text_listener hear = {};
    // Called, maybe more than once, as soon as the server has taken the request and begins to answer,
    // where that can be told before the end. The call may fail nevertheless.
    std::function<void()> accepted = {};
    // Names of `tools` that others describe. Where the server refuses a schema without saying of which tool, it is
    // asked again without them.
    std::set<std::string, std::less<>> foreign_tools = {};
};

// broken_off: in the middle, and for no reason that is known.
enum class stop_reason { end, tool_calls, length, refusal, broken_off };
std::string_view to_string(stop_reason reason) noexcept;
std::optional<stop_reason> stop_reason_from_string(std::string_view name) noexcept;

struct token_usage {
    std::int64_t input = 0; // cached ones and those written to the cache included
    std::int64_t cached = 0;
    std::int64_t output = 0;
    std::int64_t cache_written = 0; // what the provider charges extra for keeping

    token_usage& operator+=(token_usage const& more) noexcept;
};

// For a million tokens; zeros = not known.
struct token_prices {
    double input = 0;
    double cached = 0;
    double cache_written = 0;
    double output = 0;
};
// In millionths of the prices' currency.
std::int64_t cost_micro(token_usage const& used, token_prices const& prices) noexcept;

// A tool without which the server was asked again, since it refused the request for it.
struct refused_tool {
    std::string name;
    std::string reason; // in the vendor's words
};

struct chat_reply {
    std::string text;
    std::vector<tool_call> calls;
    stop_reason stop = stop_reason::end;
    token_usage usage;
    std::string model; // as the provider named it
    boost::json::value provider_state;
    boost::json::value left_open = {};            // of chat_message
    std::vector<refused_tool> refused_tools = {}; // since the reply before
    bool lacks_tools = false;                     // it was not offered all tools of the request
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
