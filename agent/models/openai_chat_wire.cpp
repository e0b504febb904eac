#include "agent/models/body_memory.hpp"
#include "agent/models/ending.hpp"
#include "agent/models/errors.hpp"
#include "agent/models/opaque_members.hpp"
#include "agent/models/openai_wire.hpp"
#include "agent/models/thoughts.hpp"
#include "agent/models/tool_schema.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <utility>

namespace postrider::agent::openai {

namespace json = boost::json;

namespace {

using storage = json::storage_ptr; // of the body

json::object assistant_message(
    chat_message const& message, wire_peer const& peer, storage const& memory
) {
    json::object object({{"role", "assistant"}, {"content", message.content}}, memory);
    if (!message.calls.empty()) {
        if (wire::is_blank(message.content)) object["content"] = nullptr;
        json::array calls(memory);
        for (auto const& call : message.calls) {
            json::object function(
                {{"name", wire::fit_name(call.name)},
                 {"arguments", wire::arguments_text(call, peer.is_vendor)}},
                memory
            );
            json::object sent({{"id", call.id}, {"type", "function"}}, memory);
            sent["function"] = std::move(function);
            calls.push_back(std::move(sent));
        }
        object["tool_calls"] = std::move(calls);
    }
    auto const* kept = wire::blocks_for(message, peer.echo);
    auto const* members = kept && !kept->empty() ? kept->front().if_object() : nullptr;
    if (members) return_opaque(object, *members);
    return object;
}

json::value user_content(chat_message const& message, storage const& memory) {
    if (message.images.empty()) return json::value(message.content, memory);
    json::array parts(memory);
    for (auto const& image : message.images)
        parts.push_back(
            json::object({{"type", "image_url"}, {"image_url", {{"url", data_url(image)}}}}, memory)
        );
    parts.push_back(json::object({{"type", "text"}, {"text", message.content}}, memory));
    return parts;
}

// A tool's message is a text there. The vendor takes a user's message behind those of the tools; the
// templates of many local models do not.
void add_shown(json::array& messages, std::vector<shown_image>& shown) {
    if (shown.empty()) return;
    chat_message const message{
        .content = "(what the tools returned as images)", .images = std::exchange(shown, {})};
    auto const& in = messages.storage();
    messages.push_back(json::object({{"role", "user"}, {"content", user_content(message, in)}}, in)
    );
}

json::array messages_of(chat_request const& request, wire_peer const& peer, storage const& memory) {
    json::array messages(memory);
    std::vector<shown_image> images; // by tools
    // "system", which OpenAI still takes: most compatible servers do not know "developer".
    if (auto system = wire::system_text(request); !system.empty())
        messages.push_back(json::object({{"role", "system"}, {"content", system}}, memory));
    for (auto const& message : request.messages) {
        if (message.role != role::tool) add_shown(messages, images);
        switch (message.role) {
        case role::user:
            messages.push_back(
                json::object({{"role", "user"}, {"content", user_content(message, memory)}}, memory)
            );
            break;
        case role::assistant:
            if (!wire::is_blank(message.content) || !message.calls.empty())
                messages.push_back(assistant_message(message, peer, memory));
            break;
        case role::tool:
            messages.push_back(json::object(
                {{"role", "tool"},
                 {"tool_call_id", message.call_id},
                 {"content", message.is_error ? "error: " + message.content : message.content}},
                memory
            ));
            if (peer.is_vendor) std::ranges::copy(message.images, std::back_inserter(images));
            break;
        case role::system:
            break; // stands at the top
        }
    }
    add_shown(messages, images);
    return messages;
}

// OpenAI takes a system message anywhere. The templates of many local models refuse one behind the
// first place, and a user's message behind a tool's: there the last message ends with the text.
// What the model said itself stays as it is.
void add_trailing_context(json::array& messages, std::string const& text, bool is_vendor) {
    if (text.empty() || messages.empty()) return;
    if (is_vendor) {
        messages.push_back(json::object({{"role", "system"}, {"content", text}}, messages.storage())
        );
        return;
    }
    auto& last = messages.back().as_object();
    if (last["role"] != "user" && last["role"] != "tool") return;
    auto& content = last["content"];
    auto& words = content.is_array() ? content.get_array().back().at("text") : content;
    words.as_string().append("\n\n").append(text);
}

template<bool IsStrict>
std::string declare(tool_list const& tools) {
    json::array list;
    for (auto const& tool : tools) {
        auto const parameters = wire::accepted_schema(tool.parameters, wire::schema_form::complete);
        json::object function{
            {"name", tool.name},
            {"description", tool.description},
            {"parameters", parameters},
        };
        if (IsStrict && wire::fits_strict_mode(parameters)) function["strict"] = true;
        list.push_back(json::object{{"type", "function"}, {"function", std::move(function)}});
    }
    return base::json_text(list);
}

// Compatible servers turn a format into a grammar for all that the model says, calls included.
bool can_have_format(chat_request const& request, wire_peer const& peer) {
    if (!request.answer_schema) return false;
    if (peer.is_vendor && !wire::has_object_root(*request.answer_schema)) return false;
    return peer.is_vendor || request.tools.empty() || request.choice == tool_choice::none;
}

tool_call call_of(base::json_reader const& item) {
    auto function = item["function"];
    auto arguments = function["arguments"];
    auto id = item["id"].string_or("");
    auto name = function["name"].string_or("");
    if (arguments.is_object())
        return wire::call_from_object(
            std::move(id), std::move(name), arguments.raw()->get_object()
        );
    return wire::call_from_text(std::move(id), std::move(name), arguments.string_or(""));
}

bool is_among(std::string_view reason, std::initializer_list<std::string_view> reasons) {
    return std::ranges::find(reasons, reason) != reasons.end();
}

// Of a choice of status 200. The request was taken, so another try may well get an answer.
std::optional<base::error> failure_in(base::json_reader const& choice, std::string_view model) {
    auto const said = choice["error"];
    if (!said) return std::nullopt;
    auto failure = openai_error(*said.raw(), model);
    if (failure == base::errc::invalid) failure.code = base::errc::unavailable;
    return failure;
}

// What goes back with the message: also its content where that is more than the text of the answer.
json::object kept_members(base::json_reader const& message, std::string const& answer) {
    auto opaque = opaque_members(message.raw()->get_object());
    auto const content = message["content"];
    if (content && text_of(content) != answer) opaque["content"] = *content.raw();
    for (auto const& part : content.items_or_none())
        if (part["type"].string_or("text") != "text") opaque["content"] = *content.raw();
    return opaque;
}

} // namespace

std::string data_url(shown_image const& image) {
    return "data:" + image.media_type + ";base64," + *image.base64;
}

std::string_view choice_of(tool_choice choice) {
    switch (choice) {
    case tool_choice::required:
        return "required";
    case tool_choice::none:
        return "none";
    case tool_choice::automatic:
        break;
    }
    return "auto";
}

std::string text_of(base::json_reader const& content) {
    if (content.is_string()) return content.string();
    std::string text;
    for (auto const& part : content.items_or_none())
        if (is_among(part["type"].string_or(""), {"", "text", "output_text"}))
            text += part["text"].string_or("");
    return text;
}

std::string chat_body(chat_request const& request, wire_peer const& peer) {
    auto const& options = peer.options;
    wire::body_memory memory;
    auto const in = memory.storage();
    auto messages = messages_of(request, peer, in);
    add_trailing_context(messages, request.trailing_context, peer.is_vendor);
    json::object body({{"model", options.model}}, in);
    body["messages"] = std::move(messages);
    body[peer.is_vendor || peer.limits_completion ? "max_completion_tokens" : "max_tokens"] =
        std::min(request.max_tokens, options.max_tokens);
    // Models that reason refuse it; a compatible server's model may have any name.
    if (request.temperature && !(peer.is_vendor && reasons(options.model)))
        body["temperature"] = *request.temperature;
    if (can_have_format(request, peer)) {
        json::object format{
            {"name", "answer"},
            {"schema", *request.answer_schema},
            {"strict", wire::fits_strict_mode(*request.answer_schema)}};
        body["response_format"] =
            json::object{{"type", "json_schema"}, {"json_schema", std::move(format)}};
    }
    // Without it a stream tells no usage.
    if (request.hear) body["stream_options"] = json::object{{"include_usage", true}};
    if (!request.tools.empty()) body["tool_choice"] = choice_of(request.choice);
    return wire::
        body_text(request, std::move(body), peer.is_vendor ? declare<true> : declare<false>);
}

base::result<wire_reply> read_completion(std::string_view body, wire_peer const& peer) {
    auto answer = wire::parse_answer(body);
    if (!answer) return answer.error();
    json::value const document = std::move(*answer);
    base::json_reader root{document};
    if (auto said = root["error"]) return openai_error(*said.raw(), peer.options.model);
    auto choices = root["choices"].items();
    if (root.failed()) return wire::unusable_answer(root.failure().detail);
    if (choices.empty()) return wire::unusable_answer("an answer without choices");
    auto message = choices.front()["message"];
    if (!message.is_object() && !choices.front()["error"])
        return wire::unusable_answer("a choice without a message");

    if (auto failure = failure_in(choices.front(), peer.options.model)) return *failure;
    auto const ending = choices.front()["finish_reason"].string_or("");

    chat_reply reply;
    reply.text = wire::without_thoughts(text_of(message["content"]));
    for (auto const& item : message["tool_calls"].items_or_none())
        reply.calls.push_back(call_of(item));
    wire::mend_ids(reply.calls);
    if (auto kept = kept_members(message, reply.text); !kept.empty())
        reply.provider_state = wire::state(peer.echo, json::array{json::value(std::move(kept))});
    if (auto refusal = message["refusal"].string_or(""); !refusal.empty()) {
        reply.stop = stop_reason::refusal;
        reply.text = refusal;
    } else if (auto noted = wire::note_ending(reply, ending); !noted) {
        return noted.error();
    }
    auto usage = root["usage"];
    reply.usage.input = wire::token_count(usage["prompt_tokens"]);
    reply.usage.cached = wire::token_count(usage["prompt_tokens_details"]["cached_tokens"]);
    reply.usage.output = wire::token_count(usage["completion_tokens"]);
    reply.usage.cache_written =
        wire::token_count(usage["prompt_tokens_details"]["cache_write_tokens"]);
    reply.model = root["model"].string_or("");
    wire::drop_nul(reply);
    return wire_reply{std::move(reply)};
}

} // namespace postrider::agent::openai
