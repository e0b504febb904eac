#include "agent/models/anthropic_wire.hpp"

#include "agent/models/body_memory.hpp"
#include "agent/models/ending.hpp"
#include "agent/models/thoughts.hpp"
#include "agent/models/tool_schema.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

#include <algorithm>

namespace postrider::agent::anthropic {

namespace json = boost::json;

namespace {

bool is_type(json::value const& block, std::string_view type) {
    return base::json_reader{block}["type"].string_or("") == type;
}

using storage = json::storage_ptr; // of the body

json::object text_block(std::string_view text, storage const& memory) {
    return json::object({{"type", "text"}, {"text", text}}, memory);
}

void add_text(json::array& content, std::string_view text) {
    if (!wire::is_blank(text)) content.push_back(text_block(text, content.storage()));
}

// What comes before it and it itself are kept by the provider for the next request.
void mark_for_cache(json::value& block) {
    auto& members = block.as_object();
    members["cache_control"] = json::object({{"type", "ephemeral"}}, members.storage());
}

// Unchanged, but for what the API says of itself and refuses when it hears it.
void echo_block(json::array& content, json::value const& block) {
    base::json_reader const reader{block};
    if (is_type(block, "text") && wire::is_blank(reader["text"].string_or(""))) return;
    content.push_back(block);
    if (!is_type(block, "tool_use")) return;
    auto& use = content.back().as_object();
    use["name"] = wire::fit_name(reader["name"].string_or(""));
    if (!reader["input"].is_object()) use["input"] = json::object(content.storage());
}

json::array assistant_content(
    chat_message const& message, std::string_view echo, storage const& memory
) {
    json::array content(memory);
    if (auto blocks = wire::blocks_for(message, echo)) {
        for (auto const& block : *blocks) echo_block(content, block);
        return content;
    }
    add_text(content, message.content);
    for (auto const& call : message.calls) {
        json::object use({{"type", "tool_use"}}, memory);
        use["id"] = wire::fit_id(call.id);
        use["name"] = wire::fit_name(call.name);
        auto& input = use["input"];
        input = json::object(memory);
        if (call.arguments.is_object()) input = call.arguments;
        content.push_back(std::move(use));
    }
    return content;
}

json::object image_block(shown_image const& image, storage const& memory) {
    return json::object(
        {{"type", "image"},
         {"source",
          {{"type", "base64"}, {"media_type", image.media_type}, {"data", *image.base64}}}},
        memory
    );
}

json::object result_block(chat_message const& message, storage const& memory) {
    json::object block(
        {{"type", "tool_result"}, {"tool_use_id", wire::fit_id(message.call_id)}}, memory
    );
    if (!message.images.empty()) {
        json::array content(memory);
        add_text(content, message.content);
        for (auto const& image : message.images) content.push_back(image_block(image, memory));
        block["content"] = std::move(content);
    } else if (!wire::is_blank(message.content)) {
        block["content"] = message.content;
    }
    if (message.is_error) block["is_error"] = true;
    return block;
}

json::array user_content(chat_message const& message, storage const& memory) {
    json::array content(memory);
    for (auto const& image : message.images) content.push_back(image_block(image, memory));
    add_text(content, message.content);
    return content;
}

json::array messages_of(chat_request const& request, std::string_view echo, storage const& memory) {
    json::array messages(memory);
    auto add = [&](std::string_view role, json::array content) {
        json::object message({{"role", role}}, memory);
        message["content"] = std::move(content);
        messages.push_back(std::move(message));
    };
    bool collecting = false; // the last message holds tool results only
    for (auto const& message : request.messages) {
        if (message.role == role::tool) {
            if (!collecting) add("user", json::array(memory));
            messages.back().at("content").as_array().push_back(result_block(message, memory));
            collecting = true;
            continue;
        }
        if (message.role == role::assistant) {
            auto content = assistant_content(message, echo, memory);
            if (content.empty()) continue;
            // The first message must be the user's; what came before was cut, or we spoke first.
            if (messages.empty())
                add("user",
                    json::array({text_block("(earlier messages are left out)", memory)}, memory));
            add("assistant", std::move(content));
        } else if (message.role == role::user) {
            auto content = user_content(message, memory);
            if (content.empty()) continue; // refused by the API
            add("user", std::move(content));
        } else {
            continue; // system: stands in the prompt
        }
        collecting = false;
    }
    return messages;
}

// The mark stands on the last block of the user's last message. Where that is one of several in a row, which may
// still grow, the one before it has a mark too: it stays as it is. What holds only now comes behind them
// and is not kept; a turn that the provider paused goes on where it stopped, without it.
void finish_messages(json::array& messages, std::string const& trailing_context) {
    auto const is_users = [](json::value const& message) {
        return base::json_reader{message}["role"].string_or("") == "user";
    };
    auto last = std::find_if(messages.rbegin(), messages.rend(), is_users);
    if (last == messages.rend()) return;
    auto& content = last->at("content").as_array();
    mark_for_cache(content.back());
    auto const before = std::next(last);
    if (before != messages.rend() && is_users(*before)) {
        auto& block = before->at("content").as_array().back();
        if (is_type(block, "text")) mark_for_cache(block);
    }
    if (last == messages.rbegin() && !trailing_context.empty())
        content.push_back(text_block(trailing_context, content.storage()));
}

bool begins_with_any(std::string_view model, std::initializer_list<std::string_view> lines) {
    return std::ranges::any_of(lines, [&](auto line) { return model.starts_with(line); });
}

// Models before these have neither output formats nor strict tools.
bool has_strict_mode(std::string_view model) {
    return !begins_with_any(
        model,
        {"claude-2",
         "claude-3",
         "claude-instant",
         "claude-opus-4-0",
         "claude-opus-4-2025",
         "claude-sonnet-4-0",
         "claude-sonnet-4-2025"}
    );
}

template<bool IsStrict>
std::string declare(tool_list const& tools) {
    json::array list;
    for (auto const& tool : tools) {
        auto const parameters = wire::accepted_schema(tool.parameters, wire::schema_form::usual);
        json::object declared{
            {"name", tool.name},
            {"description", tool.description},
            {"input_schema", parameters},
        };
        if (IsStrict && wire::fits_strict_mode(parameters)) declared["strict"] = true;
        list.push_back(std::move(declared));
    }
    mark_for_cache(list.back());
    return base::json_text(list);
}

std::string_view choice_of(tool_choice choice) {
    switch (choice) {
    case tool_choice::none:
        return "none";
    case tool_choice::required:
        return "any";
    case tool_choice::automatic:
        break;
    }
    return "auto";
}

token_usage usage_of(base::json_reader const& usage) {
    token_usage used;
    used.cached = wire::token_count(usage["cache_read_input_tokens"]);
    used.cache_written = wire::token_count(usage["cache_creation_input_tokens"]);
    used.input = wire::token_count(usage["input_tokens"]) + used.cache_written + used.cached;
    used.output = wire::token_count(usage["output_tokens"]);
    return used;
}

// True when text and calls alone cannot rebuild the content: a block of another type, one with members
// that are not read here, or text after a call.
bool must_be_echoed(json::array const& blocks) {
    bool called = false;
    for (auto const& block : blocks) {
        bool const text = is_type(block, "text");
        bool const use = is_type(block, "tool_use");
        if ((!text && !use) || (text && called)) return true;
        if (wire::has_other_members(
                block.get_object(), {"type", "text", "citations", "id", "name", "input", "caller"}
            ))
            return true;
        called = called || use;
    }
    return false;
}

} // namespace

bool refuses_temperature(std::string_view model) {
    return !begins_with_any(
        model,
        {"claude-2",
         "claude-3",
         "claude-instant",
         "claude-haiku-4-5",
         "claude-opus-4-0",
         "claude-opus-4-1",
         "claude-opus-4-2025",
         "claude-opus-4-5",
         "claude-opus-4-6",
         "claude-sonnet-4-0",
         "claude-sonnet-4-2025",
         "claude-sonnet-4-5"}
    );
}

std::string request_body(chat_request const& request, wire_peer const& peer) {
    auto const& options = peer.options;
    wire::body_memory memory;
    auto const in = memory.storage();
    json::object body(
        {{"model", options.model},
         {"max_tokens", std::min(request.max_tokens, options.max_tokens)}},
        in
    );
    if (request.temperature && options.version == first_version &&
        !refuses_temperature(options.model))
        body["temperature"] = *request.temperature;
    if (auto system = wire::system_text(request); !wire::is_blank(system)) {
        json::array blocks({text_block(system, in)}, in);
        mark_for_cache(blocks.back());
        body["system"] = std::move(blocks);
    }
    // Tools stay declared when none may be used: the history's tool_use blocks refer to them.
    if (!request.tools.empty())
        body["tool_choice"] = json::object({{"type", choice_of(request.choice)}}, in);
    if (request.answer_schema && has_strict_mode(options.model) &&
        wire::fits_strict_mode(*request.answer_schema))
        body["output_config"] = json::object{
            {"format", json::object{{"type", "json_schema"}, {"schema", *request.answer_schema}}}};
    auto messages = messages_of(request, peer.echo, in);
    finish_messages(messages, request.trailing_context);
    body["messages"] = std::move(messages);
    auto const strict = has_strict_mode(options.model);
    return wire::body_text(request, std::move(body), strict ? declare<true> : declare<false>);
}

base::result<wire_reply> read_reply(std::string_view body, wire_peer const& peer) {
    auto answer = wire::parse_answer(body);
    if (!answer) return answer.error();
    json::value const document = std::move(*answer);
    base::json_reader root{document};
    auto content = root["content"].items();
    if (root.failed()) return wire::unusable_answer(root.failure().detail);

    wire_reply parsed;
    for (auto const& block : content) {
        auto type = block["type"].string_or("");
        if (type == "text") {
            parsed.reply.text += block["text"].string_or("");
        } else if (type == "tool_use") {
            auto input = block["input"];
            auto arguments = input.is_object() ? input.raw()->get_object() : json::object{};
            auto call = wire::call_from_object(
                block["id"].string_or(""), block["name"].string_or(""), std::move(arguments)
            );
            if (!input.is_object()) call.arguments = nullptr;
            parsed.reply.calls.push_back(std::move(call));
        }
        if (block.is_object()) parsed.blocks.push_back(*block.raw());
    }
    auto reason = root["stop_reason"].string_or("");
    parsed.reply.text = wire::without_thoughts(parsed.reply.text);
    parsed.paused = reason == "pause_turn";
    if (auto noted = wire::note_ending(parsed.reply, reason); !noted) return noted.error();
    parsed.reply.usage = usage_of(root["usage"]);
    parsed.reply.model = root["model"].string_or("");
    if (must_be_echoed(parsed.blocks))
        parsed.reply.provider_state = wire::state(peer.echo, parsed.blocks);
    else
        wire::mend_ids(parsed.reply.calls);
    wire::drop_nul(parsed.reply);
    return parsed;
}

} // namespace postrider::agent::anthropic
