#include "tests/support/fake_models/dialects.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <iterator>
#include <set>

namespace postrider::tests {

namespace json = boost::json;

namespace {

refusal openai_refusal(std::string message) {
    return {400, "", std::move(message)};
}

json::value openai_failure(refusal const& problem) {
    auto type = problem.status == 429 ? problem.error : "invalid_request_error";
    if (problem.status >= 500) type = "server_error";
    json::object error{{"message", problem.message}, {"type", type}, {"param", nullptr}};
    error["code"] = problem.error.empty() ? json::value(nullptr) : json::value(problem.error);
    return json::object{{"error", std::move(error)}};
}

std::string arguments_of(fake_tool_call const& call) {
    return call.broken.empty() ? json::serialize(call.arguments) : call.broken;
}

std::string call_id(int number, int index) {
    return "call_" + std::to_string(number) + "_" + std::to_string(index);
}

std::optional<refusal> require(json::object const& body, std::initializer_list<char const*> names) {
    for (auto name : names)
        if (!body.contains(name))
            return openai_refusal("Missing required parameter: '" + std::string(name) + "'.");
    return std::nullopt;
}

bool reasons(std::string_view model) {
    for (std::string_view line : {"o1", "o3", "o4", "gpt-5", "gpt-6"})
        if (model.starts_with(line)) return true;
    return false;
}

std::optional<refusal> check_sampling(json::object const& body) {
    if (!body.contains("temperature") || !reasons(text_at(body, "model"))) return std::nullopt;
    return refusal{
        400,
        "unsupported_parameter",
        "Unsupported parameter: 'temperature' is not supported with this model."};
}

std::optional<refusal> check_strict(json::value const& format) {
    if (at(format, "strict") != json::value(true)) return std::nullopt;
    auto const* parameters = at(format, "schema").if_object();
    auto const wrong = strict_misfit(parameters ? at(format, "schema") : at(format, "parameters"));
    if (wrong.empty()) return std::nullopt;
    return openai_refusal("Invalid schema: " + wrong);
}

std::vector<prompt_part> parts_of(json::value const& list) {
    std::vector<prompt_part> parts;
    if (auto const* items = list.if_array())
        for (auto const& item : *items) parts.push_back({json::serialize(item)});
    return parts;
}

// Responses -----------------------------------------------------------------------------------

std::optional<refusal> check_items(json::array const& items) {
    std::set<std::string> open;
    for (auto const& item : items) {
        auto type = text_at(item, "type");
        auto id = text_at(item, "call_id");
        if (type == "function_call") open.insert(id);
        if (type == "function_call_output" && open.erase(id) == 0)
            return openai_refusal(
                "No tool call found for function call output with call_id " + id + "."
            );
        if (type == "reasoning" && text_at(item, "encrypted_content").empty())
            return refusal{404, "", "Item with id '" + text_at(item, "id") + "' not found."};
    }
    if (!open.empty())
        return openai_refusal("No tool output found for function call " + *open.begin() + ".");
    return std::nullopt;
}

std::optional<refusal> check_responses(fake_request const& request, bool /*after_pause*/) {
    auto body = request.body.if_object();
    if (!body) return openai_refusal("We could not parse the JSON body of your request.");
    if (auto wrong = require(*body, {"model", "input"})) return wrong;
    if (auto tools = body->if_contains("tools"))
        for (auto const& tool : tools->as_array())
            if (text_at(tool, "name").empty())
                return openai_refusal("Missing required parameter: 'tools[0].name'.");
    if (auto wrong = check_sampling(*body)) return wrong;
    if (auto wrong = check_strict(at(at(*body, "text"), "format"))) return wrong;
    if (auto tools = body->if_contains("tools"))
        for (auto const& tool : tools->as_array())
            if (auto wrong = check_strict(tool)) return wrong;
    if (body->contains("include") && text_at(*body, "model").starts_with("gpt-4"))
        return openai_refusal("Encrypted content is not supported with this model.");
    auto items = body->at("input").if_array();
    return items ? check_items(*items) : std::nullopt;
}

cache_usage count_response(json::object const& request, prompt_cache& cache) {
    std::vector<prompt_part> parts{{json::serialize(at(request, "tools"))}};
    parts.push_back({text_at(request, "instructions")});
    std::ranges::move(parts_of(request.at("input")), std::back_inserter(parts));
    return cache.take_all(text_at(request, "model"), parts);
}

json::value answer_response(
    fake_reply const& reply, json::object const& request, int number, cache_usage const& used
) {
    auto const tail = std::to_string(number);
    json::array output;
    if (reply.thinks)
        output.push_back(json::object{
            {"id", "rs_" + tail},
            {"type", "reasoning"},
            {"summary", json::array{}},
            {"encrypted_content", "c2VhbGVk" + tail},
        });
    if (!reply.text.empty())
        output.push_back(json::object{
            {"id", "msg_" + tail},
            {"type", "message"},
            {"role", "assistant"},
            {"status", "completed"},
            {"content",
             json::array{json::object{
                 {"type", "output_text"}, {"text", reply.text}, {"annotations", json::array{}}}}},
        });
    int index = 0;
    for (auto const& call : reply.calls) {
        ++index;
        output.push_back(json::object{
            {"id", "fc_" + tail + "_" + std::to_string(index)},
            {"type", "function_call"},
            {"call_id", call_id(number, index)},
            {"name", call.name},
            {"arguments", arguments_of(call)},
            {"status", "completed"},
        });
    }
    json::object response{
        {"id", "resp_" + tail},
        {"object", "response"},
        {"status", reply.stop.empty() ? "completed" : "incomplete"},
        {"error", nullptr},
        {"incomplete_details", nullptr},
        {"model", request.at("model")},
        {"output", std::move(output)},
        {"usage",
         json::object{
             {"input_tokens", used.total()},
             {"input_tokens_details", json::object{{"cached_tokens", used.read}}},
             {"output_tokens", 7},
             {"total_tokens", used.total() + 7},
         }},
    };
    if (!reply.stop.empty()) response["incomplete_details"] = json::object{{"reason", reply.stop}};
    return response;
}

std::string last_input_text(json::object const& request) {
    std::string text;
    if (auto items = request.at("input").if_array())
        for (auto const& item : *items)
            if (text_at(item, "role") == "user") text = text_at(item, "content");
    return text;
}

// Chat Completions ------------------------------------------------------------------------------

std::optional<refusal> check_chat_messages(json::array const& messages) {
    std::set<std::string> open;
    for (auto const& message : messages) {
        auto role = text_at(message, "role");
        if (role == "tool") {
            if (open.erase(text_at(message, "tool_call_id")) == 0)
                return openai_refusal(
                    "messages with role 'tool' must be a response to a preceeding message with "
                    "'tool_calls'."
                );
            continue;
        }
        if (!open.empty()) break;
        if (auto calls = at(message, "tool_calls").if_array())
            for (auto const& call : *calls) {
                if (!at(at(call, "function"), "arguments").is_string())
                    return openai_refusal(
                        "Invalid type for 'messages.tool_calls.function.arguments'."
                    );
                open.insert(text_at(call, "id"));
            }
    }
    if (open.empty()) return std::nullopt;
    return openai_refusal(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to "
        "each 'tool_call_id'. The following tool_call_ids did not have response messages: " +
        *open.begin()
    );
}

std::optional<refusal> check_chat(fake_request const& request, bool /*after_pause*/) {
    auto body = request.body.if_object();
    if (!body) return openai_refusal("We could not parse the JSON body of your request.");
    if (auto wrong = require(*body, {"model", "messages"})) return wrong;
    if (auto wrong = check_sampling(*body)) return wrong;
    if (auto wrong = check_strict(at(at(*body, "response_format"), "json_schema"))) return wrong;
    if (body->contains("tool_choice") && !body->contains("tools"))
        return openai_refusal("'tool_choice' is only allowed when 'tools' are specified.");
    auto messages = body->at("messages").if_array();
    if (!messages || messages->empty()) return openai_refusal("[] is too short - 'messages'");
    return check_chat_messages(*messages);
}

json::value chat_calls(fake_reply const& reply, int number) {
    json::array calls;
    for (auto const& call : reply.calls) {
        json::object entry{{"type", "function"}};
        if (!reply.sloppy) entry["id"] = call_id(number, static_cast<int>(calls.size()) + 1);
        json::object function{{"name", call.name}};
        function["arguments"] =
            reply.sloppy ? json::value(call.arguments) : json::value(arguments_of(call));
        entry["function"] = std::move(function);
        calls.push_back(std::move(entry));
    }
    return calls;
}

cache_usage count_chat(json::object const& request, prompt_cache& cache) {
    std::vector<prompt_part> parts{{json::serialize(at(request, "tools"))}};
    std::ranges::move(parts_of(request.at("messages")), std::back_inserter(parts));
    return cache.take_all(text_at(request, "model"), parts);
}

json::value answer_chat(
    fake_reply const& reply, json::object const& request, int number, cache_usage const& used
) {
    json::object message{{"role", "assistant"}, {"content", nullptr}};
    if (!reply.text.empty()) message["content"] = reply.text;
    if (reply.thinks) message["reasoning_content"] = "Let me think about that.";
    if (!reply.calls.empty()) message["tool_calls"] = chat_calls(reply, number);
    std::string stop = reply.calls.empty() || reply.sloppy ? "stop" : "tool_calls";
    if (!reply.stop.empty()) stop = reply.stop;
    return json::object{
        {"id", "chatcmpl-" + std::to_string(number)},
        {"object", "chat.completion"},
        {"model", request.at("model")},
        {"choices",
         json::array{
             json::object{{"index", 0}, {"message", std::move(message)}, {"finish_reason", stop}}}},
        {"usage",
         json::object{
             {"prompt_tokens", used.total()},
             {"completion_tokens", 7},
             {"total_tokens", used.total() + 7},
             {"prompt_tokens_details", json::object{{"cached_tokens", used.read}}},
         }},
    };
}

// Without the note about the time behind it.
std::string last_chat_text(json::object const& request) {
    std::string text;
    for (auto const& message : request.at("messages").as_array())
        if (text_at(message, "role") == "user") text = text_at(message, "content");
    return text.substr(0, text.find("\n\n(The current date and time is "));
}

} // namespace

dialect const responses_dialect{
    "/v1/responses",
    check_responses,
    count_response,
    answer_response,
    openai_failure,
    response_events,
    response_error_event,
    last_input_text};
dialect const chat_dialect{
    "/v1/chat/completions",
    check_chat,
    count_chat,
    answer_chat,
    openai_failure,
    chat_events,
    chat_error_event,
    last_chat_text};

} // namespace postrider::tests
