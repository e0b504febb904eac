#include "agent/models/body_memory.hpp"
#include "agent/models/ending.hpp"
#include "agent/models/errors.hpp"
#include "agent/models/openai_wire.hpp"
#include "agent/models/thoughts.hpp"
#include "agent/models/tool_schema.hpp"
#include "base/ascii.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

#include <algorithm>

namespace postrider::agent::openai {

namespace json = boost::json;

namespace {

using storage = json::storage_ptr; // of the body

// Unchanged, but for the call of what is no tool, and for arguments that would be refused.
void echo_item(json::array& input, json::value const& item, bool is_vendor) {
    input.push_back(item);
    base::json_reader const reader{item};
    if (reader["type"].string_or("") != "function_call") return;
    auto& call = input.back().as_object();
    call["name"] = wire::fit_name(reader["name"].string_or(""));
    auto const read = wire::call_from_text({}, {}, reader["arguments"].string_or(""));
    if (!read.arguments.is_object()) call["arguments"] = wire::arguments_text(read, is_vendor);
}

void add_assistant(json::array& input, chat_message const& message, wire_peer const& peer) {
    if (auto items = wire::blocks_for(message, peer.echo)) {
        for (auto const& item : *items) echo_item(input, item, peer.is_vendor);
        return;
    }
    auto const& in = input.storage();
    if (!wire::is_blank(message.content))
        input.push_back(json::object({{"role", "assistant"}, {"content", message.content}}, in));
    for (auto const& call : message.calls)
        input.push_back(json::object(
            {{"type", "function_call"},
             {"call_id", call.id},
             {"name", wire::fit_name(call.name)},
             {"arguments", wire::arguments_text(call, peer.is_vendor)}},
            in
        ));
}

// Of a message or of a tool's result.
json::value content_of(chat_message const& message, storage const& memory) {
    auto const text = message.is_error ? "error: " + message.content : message.content;
    if (message.images.empty()) return json::value(text, memory);
    json::array parts(memory);
    for (auto const& image : message.images)
        parts.push_back(
            json::object({{"type", "input_image"}, {"image_url", data_url(image)}}, memory)
        );
    parts.push_back(json::object({{"type", "input_text"}, {"text", text}}, memory));
    return parts;
}

json::array input_of(chat_request const& request, wire_peer const& peer, storage const& memory) {
    json::array input(memory);
    for (auto const& message : request.messages) {
        switch (message.role) {
        case role::user:
            input.push_back(
                json::object({{"role", "user"}, {"content", content_of(message, memory)}}, memory)
            );
            break;
        case role::assistant:
            add_assistant(input, message, peer);
            break;
        case role::tool:
            input.push_back(json::object(
                {{"type", "function_call_output"},
                 {"call_id", message.call_id},
                 {"output", content_of(message, memory)}},
                memory
            ));
            break;
        case role::system:
            break; // stands in the instructions
        }
    }
    return input;
}

std::string declare(tool_list const& tools) {
    json::array list;
    for (auto const& tool : tools) {
        auto const parameters = wire::accepted_schema(tool.parameters, wire::schema_form::complete);
        list.push_back(json::object{
            {"type", "function"},
            {"name", tool.name},
            {"description", tool.description},
            {"parameters", parameters},
            // Omitted it means true, which refuses optional parameters.
            {"strict", wire::fits_strict_mode(parameters)},
        });
    }
    return base::json_text(list);
}

// True where text and calls alone say all that the item does.
bool is_plain(json::object const& item) {
    auto const type = base::json_reader{item}["type"].string_or("");
    if (type == "message")
        return !wire::has_other_members(item, {"id", "type", "role", "status", "content"});
    return type == "function_call" &&
           !wire::has_other_members(item, {"id", "type", "call_id", "name", "arguments", "status"});
}

// The items are sent back only as a whole, where they hold more than is read here, and only when they
// stand alone: a reasoning item without its encrypted content is looked for on the vendor's side,
// where nothing is stored.
bool can_be_echoed(json::array const& items) {
    bool is_all_plain = true;
    for (auto const& item : items) {
        base::json_reader const reader{item};
        bool const reasons = reader["type"].string_or("") == "reasoning";
        if (reasons && reader["encrypted_content"].string_or("").empty()) return false;
        is_all_plain = is_all_plain && is_plain(item.get_object());
    }
    return !is_all_plain;
}

void read_message(base::json_reader const& item, chat_reply& reply, std::string& refusal) {
    for (auto const& part : item["content"].items_or_none()) {
        reply.text += part["text"].string_or("");
        refusal += part["refusal"].string_or("");
    }
}

json::array read_output(base::json_reader const& root, chat_reply& reply, std::string& refusal) {
    json::array items;
    for (auto const& item : root["output"].items()) {
        auto type = item["type"].string_or("");
        if (type == "message") {
            read_message(item, reply, refusal);
        } else if (type == "function_call") {
            auto arguments = item["arguments"];
            auto id = item["call_id"].string_or("");
            auto name = item["name"].string_or("");
            reply.calls.push_back(
                arguments.is_object()
                    ? wire::call_from_object(id, name, arguments.raw()->get_object())
                    : wire::call_from_text(id, name, arguments.string_or(""))
            );
        }
        if (item.is_object()) items.push_back(*item.raw());
    }
    return items;
}

constexpr std::string_view incomplete = "incomplete"; // a response, or an item of one

bool is_incomplete(json::value const& item) {
    return base::json_reader{item}["status"].string_or("") == incomplete;
}

base::error failure_of(base::json_reader const& root, std::string_view model) {
    if (auto said = root["error"]) return openai_error(*said.raw(), model);
    return {base::errc::unavailable, "the response did not complete"};
}

} // namespace

bool reasons(std::string_view model) {
    if (model.find("-chat") != model.npos) return false;
    for (std::string_view line : {"o1", "o3", "o4", "gpt-5", "gpt-6"})
        if (model.starts_with(line)) return true;
    return false;
}

std::string responses_body(chat_request const& request, wire_peer const& peer) {
    auto const& options = peer.options;
    wire::body_memory memory;
    auto const in = memory.storage();
    json::object body(
        {{"model", options.model},
         {"store", false},
         {"max_output_tokens", std::min(request.max_tokens, options.max_tokens)}},
        in
    );
    // Models that reason refuse it.
    if (request.temperature && !reasons(options.model)) body["temperature"] = *request.temperature;
    if (request.answer_schema && wire::has_object_root(*request.answer_schema)) {
        json::object format{
            {"type", "json_schema"},
            {"name", "answer"},
            {"schema", *request.answer_schema},
            {"strict", wire::fits_strict_mode(*request.answer_schema)}};
        body["text"] = json::object{{"format", std::move(format)}};
    }
    if (auto system = wire::system_text(request); !system.empty()) body["instructions"] = system;
    if (!request.tools.empty()) body["tool_choice"] = choice_of(request.choice);
    if (reasons(options.model)) body["include"] = json::array{"reasoning.encrypted_content"};
    auto input = input_of(request, peer, in);
    if (!request.trailing_context.empty())
        input.push_back(
            json::object({{"role", "system"}, {"content", request.trailing_context}}, in)
        );
    body["input"] = std::move(input);
    return wire::body_text(request, std::move(body), declare);
}

base::result<wire_reply> read_response(std::string_view body, wire_peer const& peer) {
    auto answer = wire::parse_answer(body);
    if (!answer) return answer.error();
    json::value const document = std::move(*answer);
    base::json_reader root{document};
    // Compatible servers may leave it out.
    auto const status = base::to_lower(root["status"].string_or("completed"));
    if (root["error"] || (status != "completed" && status != incomplete))
        return failure_of(root, peer.options.model);

    chat_reply reply;
    std::string refusal;
    auto items = read_output(root, reply, refusal);
    if (root.failed()) return wire::unusable_answer(root.failure().detail);
    reply.text = wire::without_thoughts(reply.text);
    auto ending = root["incomplete_details"]["reason"].string_or("");
    if (ending.empty() && (status == incomplete || std::ranges::any_of(items, is_incomplete)))
        ending = incomplete;
    if (!refusal.empty()) {
        reply.stop = stop_reason::refusal;
        reply.text = refusal;
    } else if (auto noted = wire::note_ending(reply, ending); !noted) {
        return noted.error();
    }
    auto usage = root["usage"];
    reply.usage.input = wire::token_count(usage["input_tokens"]);
    reply.usage.cached = wire::token_count(usage["input_tokens_details"]["cached_tokens"]);
    reply.usage.cache_written =
        wire::token_count(usage["input_tokens_details"]["cache_write_tokens"]);
    reply.usage.output = wire::token_count(usage["output_tokens"]);
    reply.model = root["model"].string_or("");
    if (can_be_echoed(items))
        reply.provider_state = wire::state(peer.echo, std::move(items));
    else
        wire::mend_ids(reply.calls);
    wire::drop_nul(reply);
    return wire_reply{std::move(reply)};
}

} // namespace postrider::agent::openai
