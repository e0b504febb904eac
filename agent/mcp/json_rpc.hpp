#pragma once
// JSON-RPC 2.0 messages as the Model Context Protocol uses them, for clients and servers. Pure.
//
// Ids are strings or integers, params are objects, and nobody sends batches: revisions since 2025-06-18
// have dropped them. Optional members may be null. What cannot be read comes back as the answer that a server gives to
// it, with the sender's id where that could be read.
#include "base/json/json.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace postrider::agent::mcp {

namespace json = boost::json;

using request_id = std::variant<std::int64_t, std::string>;

// As a text for logs and messages: 7 or "abc".
std::string to_text(request_id const& id);
json::value to_json(request_id const& id);
// Nothing: neither an integer nor a string.
std::optional<request_id> read_request_id(json::value const& value);
// Of an answer to a request of ours, whose id is an integer: some servers give it back as "1" or 1.0.
std::optional<request_id> read_answered_id(json::value const& value);

namespace rpc_code {
inline constexpr int parse_error = -32700;
inline constexpr int invalid_request = -32600;
inline constexpr int method_not_found = -32601;
inline constexpr int invalid_params = -32602;
inline constexpr int internal_error = -32603;
inline constexpr int server_error = -32000; // the first of those without a fixed meaning
inline constexpr int header_mismatch = -32020;
inline constexpr int missing_capability = -32021;
inline constexpr int unsupported_version = -32022;
} // namespace rpc_code

struct rpc_error {
    int code = rpc_code::internal_error;
    std::string message;
    std::optional<json::value> data = {};
};

struct rpc_request {
    request_id id;
    std::string method;
    json::object params; // empty where there were none
};

struct rpc_notification {
    std::string method;
    json::object params;
};

struct rpc_result {
    request_id id;
    json::value value;
};

struct rpc_failure {
    std::optional<request_id> id; // nothing: of a message whose id could not be read
    rpc_error error;
};

using message = std::variant<rpc_request, rpc_notification, rpc_result, rpc_failure>;

struct message_limits {
    std::size_t bytes = 4u << 20;
    std::size_t depth = 64;
    std::size_t batch = 1000; // messages, each of which costs more than its bytes
};

struct unreadable {
    rpc_failure answer; // what a server says to it
};

using parsed_message = boost::system::result<message, unreadable>;

// The answer's codes: parse_error (no JSON, not UTF-8, too deep, too large), invalid_request (no
// message), invalid_params.
parsed_message parse_message(std::string_view text, message_limits const& limits = {});
// The same of what a server sends; never empty. It may be a batch, as servers of older revisions answer.
// A method with the id null is a notification, and "jsonrpc" may be missing; of a client it is no message,
// by the protocol.
std::vector<parsed_message> parse_messages(
    std::string_view text, message_limits const& limits = {}
);

// One line, without its end; always UTF-8.
std::string to_text(message const& value);

// Found by parsed_message::value(): a caller that ignores a failure gets an exception.
[[noreturn]] void throw_exception_from_error(
    unreadable const& failure, boost::source_location const& where
);

} // namespace postrider::agent::mcp
