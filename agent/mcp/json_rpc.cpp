#include "agent/mcp/json_rpc.hpp"

#include "base/json/nul.hpp"
#include "base/json/text.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace postrider::agent::mcp {

namespace {

unreadable failure(std::optional<request_id> id, int code, std::string message) {
    return {{std::move(id), {code, std::move(message), {}}}};
}

unreadable not_a_message(std::optional<request_id> id, std::string message) {
    return failure(std::move(id), rpc_code::invalid_request, std::move(message));
}

// The members of an envelope. What is not there, or is null and need not be there, is a null pointer.
struct envelope {
    json::value const* id = nullptr;
    json::value* method = nullptr;
    json::value* params = nullptr;
    json::value* result = nullptr;
    json::value* error = nullptr;
    std::optional<request_id> read_id;
};

// Serializers write null for what they have none of.
json::value* optional_member(json::object& members, std::string_view name) {
    auto* member = members.if_contains(name);
    return member && member->is_null() ? nullptr : member;
}

envelope open(json::object& members) {
    envelope opened;
    opened.id = members.if_contains("id");
    opened.method = optional_member(members, "method");
    opened.params = optional_member(members, "params");
    opened.error = optional_member(members, "error");
    opened.result = members.if_contains("result");
    // A result may be null, where nothing else is there.
    if (opened.method || opened.error) opened.result = optional_member(members, "result");
    if (opened.id)
        opened.read_id = opened.method ? read_request_id(*opened.id) : read_answered_id(*opened.id);
    return opened;
}

parsed_message read_call(envelope& call) {
    auto const* method = call.method->if_string();
    if (!method || method->empty())
        return not_a_message(call.read_id, "method must be a text that is not empty");
    if (call.result || call.error)
        return not_a_message(call.read_id, "a message with a method has neither result nor error");
    if (call.id && !call.read_id) return not_a_message({}, "id must be a string or an integer");
    json::object params;
    if (call.params) {
        if (!call.params->is_object())
            return failure(call.read_id, rpc_code::invalid_params, "params must be an object");
        if (base::holds_nul(*call.params))
            return failure(
                call.read_id, rpc_code::invalid_params, base::nul_refusal("params").detail
            );
        params = std::move(call.params->get_object());
    }
    if (!call.id) return rpc_notification{std::string(*method), std::move(params)};
    return rpc_request{std::move(*call.read_id), std::string(*method), std::move(params)};
}

// Some serializers write all numbers as 1.0.
std::optional<std::int64_t> read_integer(json::value const& value) {
    constexpr double largest = 1LL << 53; // beyond it not every integer is a double
    if (value.is_int64()) return value.get_int64();
    auto const* number = value.if_double();
    if (!number || std::abs(*number) > largest || *number != std::trunc(*number))
        return std::nullopt;
    return static_cast<std::int64_t>(*number);
}

// Without a message it still says which mistake it is.
std::optional<rpc_error> read_error(json::value& value) {
    auto* members = value.if_object();
    if (!members) return std::nullopt;
    auto const* code = members->if_contains("code");
    constexpr auto none = std::numeric_limits<std::int64_t>::max(); // outside of int, too
    std::int64_t const number = code ? read_integer(*code).value_or(none) : none;
    auto const* text = optional_member(*members, "message");
    if (text && !text->is_string()) return std::nullopt;
    if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max())
        return std::nullopt;
    rpc_error error{static_cast<int>(number), text ? std::string(text->get_string()) : "", {}};
    if (auto* data = optional_member(*members, "data")) error.data = std::move(*data);
    return error;
}

parsed_message read_answer(envelope& answer) {
    if (answer.result && answer.error)
        return not_a_message(answer.read_id, "an answer has a result or an error, not both");
    if (answer.result) {
        if (!answer.read_id) return not_a_message({}, "a result needs the id of its request");
        return rpc_result{std::move(*answer.read_id), std::move(*answer.result)};
    }
    if (answer.id && !answer.id->is_null() && !answer.read_id)
        return not_a_message({}, "id must be a string or an integer");
    auto error = read_error(*answer.error);
    if (!error)
        return not_a_message(answer.read_id, "error must have an integer code and a message");
    return message(rpc_failure{std::move(answer.read_id), std::move(*error)});
}

json::object versioned() {
    return {{"jsonrpc", "2.0"}};
}

json::object with_call(
    json::object members, std::string const& method, json::object const& params
) {
    members["method"] = method;
    if (!params.empty()) members["params"] = params;
    return members;
}

json::object to_object(rpc_request const& request) {
    auto members = versioned();
    members["id"] = to_json(request.id);
    return with_call(std::move(members), request.method, request.params);
}

json::object to_object(rpc_notification const& notification) {
    return with_call(versioned(), notification.method, notification.params);
}

json::object to_object(rpc_result const& result) {
    auto members = versioned();
    members["id"] = to_json(result.id);
    members["result"] = result.value;
    return members;
}

json::object to_object(rpc_failure const& failed) {
    auto members = versioned();
    members["id"] = failed.id ? to_json(*failed.id) : json::value(nullptr);
    json::object error{{"code", failed.error.code}, {"message", failed.error.message}};
    if (failed.error.data) error["data"] = *failed.error.data;
    members["error"] = std::move(error);
    return members;
}

parsed_message read_message(json::value& parsed) {
    auto* members = parsed.if_object();
    if (!members) return not_a_message({}, "a message is an object");
    auto opened = open(*members);
    auto const* version = members->if_contains("jsonrpc");
    if (!version || *version != "2.0")
        return not_a_message(opened.read_id, "jsonrpc must be \"2.0\"");
    if (opened.method) return read_call(opened);
    if (opened.result || opened.error) return read_answer(opened);
    return not_a_message(opened.read_id, "a message has a method, a result or an error");
}

// What a server calls under the id null wants no answer: a request must not have it. Without "jsonrpc" its
// message is read all the same.
void fill_in(json::value& sent) {
    auto* members = sent.if_object();
    if (!members) return;
    auto const* id = members->if_contains("id");
    if (id && id->is_null() && members->contains("method")) members->erase("id");
    auto& version = (*members)["jsonrpc"];
    if (version.is_null()) version = "2.0";
}

enum class sender { client, server };

parsed_message parse_single(std::string_view text, message_limits const& limits, sender origin) {
    auto parsed = base::parse_json(text, {.depth = limits.depth, .bytes = limits.bytes});
    if (!parsed) return failure({}, rpc_code::parse_error, parsed.error().detail);
    if (parsed->is_array()) return not_a_message({}, "batches are not part of the protocol");
    if (origin == sender::server) fill_in(*parsed);
    return read_message(*parsed);
}

} // namespace

std::string to_text(request_id const& id) {
    return base::json_text(to_json(id));
}

json::value to_json(request_id const& id) {
    return std::visit([](auto const& value) { return json::value(value); }, id);
}

std::optional<request_id> read_request_id(json::value const& value) {
    if (value.is_int64()) return request_id{value.get_int64()};
    if (auto const* text = value.if_string()) return request_id{std::string(*text)};
    return std::nullopt;
}

std::optional<request_id> read_answered_id(json::value const& value) {
    if (auto const number = read_integer(value)) return request_id{*number};
    auto const* text = value.if_string();
    if (!text) return std::nullopt;
    std::int64_t number = 0;
    auto const* const end = text->data() + text->size();
    auto const [behind, ec] = std::from_chars(text->data(), end, number);
    if (ec == std::errc() && behind == end) return request_id{number};
    return request_id{std::string(*text)};
}

parsed_message parse_message(std::string_view text, message_limits const& limits) {
    return parse_single(text, limits, sender::client);
}

std::vector<parsed_message> parse_messages(std::string_view text, message_limits const& limits) {
    std::vector<parsed_message> messages;
    auto const first = text.find_first_not_of(" \t\r\n");
    if (first != text.npos && text[first] == '[') {
        // In a batch each message is one level deeper.
        auto parsed = base::parse_json(text, {.depth = limits.depth + 1, .bytes = limits.bytes});
        if (parsed && parsed->as_array().size() > limits.batch) {
            messages.push_back(not_a_message({}, "a batch has too many messages"));
            return messages;
        }
        if (parsed)
            for (auto& item : parsed->as_array()) {
                fill_in(item);
                messages.push_back(read_message(item));
            }
    }
    if (messages.empty()) messages.push_back(parse_single(text, limits, sender::server));
    return messages;
}

std::string to_text(message const& value) {
    return base::json_text(
        std::visit([](auto const& content) { return json::value(to_object(content)); }, value)
    );
}

void throw_exception_from_error(unreadable const& failure, boost::source_location const&) {
    throw std::runtime_error("JSON-RPC: " + failure.answer.error.message);
}

} // namespace postrider::agent::mcp
