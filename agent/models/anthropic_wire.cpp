#include "agent/models/anthropic_wire.hpp"

#include "base/json.hpp"

namespace postrider::agent::anthropic {

namespace json = boost::json;

namespace {

bool is_type(json::value const& block, std::string_view type) {
    return base::json_reader{block}["type"].string_or("") == type;
}

// Ids of other providers may hold characters that are refused here. A call and its result are
// changed alike.
std::string fit_id(std::string id) {
    for (auto& c : id) {
        auto byte = static_cast<unsigned char>(c);
        if (!std::isalnum(byte) && c != '_' && c != '-') c = '_';
    }
    return id;
}

json::object text_block(std::string_view text) {
    return {{"type", "text"}, {"text", text}};
}

json::array assistant_content(chat_message const& message, std::string_view echo) {
    json::array content;
    if (auto blocks = wire::blocks_for(message, echo)) {
        for (auto const& block : *blocks) {
            bool const empty =
                is_type(block, "text") && base::json_reader{block}["text"].string_or("").empty();
            if (!empty) content.push_back(block);
        }
        return content;
    }
    if (!message.content.empty()) content.push_back(text_block(message.content));
    for (auto const& call : message.calls)
        content.push_back(json::object{
            {"type", "tool_use"},
            {"id", fit_id(call.id)},
            {"name", call.name},
            {"input", call.arguments.is_object() ? call.arguments : json::value(json::object{})},
        });
    return content;
}

json::object result_block(chat_message const& message) {
    json::object block{{"type", "tool_result"}, {"tool_use_id", fit_id(message.call_id)}};
    if (!message.content.empty()) block["content"] = message.content;
    if (message.is_error) block["is_error"] = true;
    return block;
}

json::array messages_of(chat_request const& request, std::string_view echo) {
    json::array messages;
    auto add = [&](std::string_view role, json::value content) {
        messages.push_back(json::object{{"role", role}, {"content", std::move(content)}});
    };
    bool collecting = false; // the last message holds tool results only
    for (auto const& message : request.messages) {
        if (message.role == role::tool) {
            if (!collecting) add("user", json::array{});
            messages.back().at("content").as_array().push_back(result_block(message));
            collecting = true;
            continue;
        }
        if (message.role == role::assistant) {
            auto content = assistant_content(message, echo);
            if (content.empty()) continue;
            // The first message must be the user's; what came before was cut, or we spoke first.
            if (messages.empty()) add("user", json::value("(earlier messages are left out)"));
            add("assistant", std::move(content));
        } else if (message.role == role::user && !message.content.empty()) {
            add("user", json::value(message.content));
        } else {
            continue; // system: stands in the prompt; empty: refused by the API
        }
        collecting = false;
    }
    return messages;
}

json::array tools_of(chat_request const& request) {
    json::array tools;
    for (auto const& tool : request.tools)
        tools.push_back(json::object{
            {"name", tool.name},
            {"description", tool.description},
            {"input_schema", tool.parameters},
        });
    return tools;
}

// These answer 400 to a forced tool use (release notes of October 2026).
bool refuses_forced_tools(std::string_view model) {
    for (std::string_view line : {"claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-1"})
        if (model.starts_with(line)) return true;
    return false;
}

std::string_view choice_of(chat_request const& request, std::string_view model) {
    switch (request.choice) {
    case tool_choice::none:
        return "none";
    case tool_choice::required:
        return refuses_forced_tools(model) ? "auto" : "any";
    case tool_choice::automatic:
        break;
    }
    return "auto";
}

stop_reason stop_of(std::string_view reason, bool calls) {
    if (reason == "refusal") return stop_reason::refusal;
    if (reason == "max_tokens" || reason == "model_context_window_exceeded")
        return stop_reason::length;
    return calls ? stop_reason::tool_calls : stop_reason::end;
}

token_usage usage_of(base::json_reader const& usage) {
    token_usage used;
    used.cached = usage["cache_read_input_tokens"].int64_or(0);
    used.input = usage["input_tokens"].int64_or(0) +
                 usage["cache_creation_input_tokens"].int64_or(0) + used.cached;
    used.output = usage["output_tokens"].int64_or(0);
    return used;
}

// True when text and calls alone cannot rebuild the content: a block of another type, or text
// after a call.
bool must_be_echoed(json::array const& blocks) {
    bool called = false;
    for (auto const& block : blocks) {
        bool const text = is_type(block, "text");
        bool const use = is_type(block, "tool_use");
        if ((!text && !use) || (text && called)) return true;
        called = called || use;
    }
    return false;
}

} // namespace

json::object request_body(
    chat_request const& request, model_options const& options, std::string_view echo
) {
    json::object body{
        {"model", options.model},
        {"max_tokens", std::min(request.max_tokens, options.max_tokens)},
    };
    if (request.temperature) body["temperature"] = *request.temperature;
    if (auto system = wire::system_text(request); !system.empty()) body["system"] = system;
    // Tools stay declared when none may be used: the history's tool_use blocks refer to them.
    if (!request.tools.empty()) {
        body["tools"] = tools_of(request);
        body["tool_choice"] = json::object{{"type", choice_of(request, options.model)}};
    }
    body["messages"] = messages_of(request, echo);
    return body;
}

base::result<parsed> read_reply(std::string_view body, std::string_view echo) {
    auto answer = wire::parse_answer(body);
    if (!answer) return answer.error();
    json::value const document = std::move(*answer);
    base::json_reader root{document};
    auto content = root["content"].items();
    if (root.failed()) return root.failure();

    parsed made;
    for (auto const& block : content) {
        auto type = block["type"].string_or("");
        if (type == "text") {
            made.reply.text += block["text"].string_or("");
        } else if (type == "tool_use") {
            auto input = block["input"];
            tool_call call{block["id"].string_or(""), block["name"].string_or(""), nullptr, {}};
            if (input.is_object()) call.arguments = *input.raw();
            made.reply.calls.push_back(std::move(call));
        }
        if (block.is_object()) made.blocks.push_back(*block.raw());
    }
    auto reason = root["stop_reason"].string_or("");
    made.paused = reason == "pause_turn";
    made.reply.stop = stop_of(reason, !made.reply.calls.empty());
    // What was said before a refusal is to be discarded.
    if (made.reply.stop == stop_reason::refusal) made.reply.text.clear();
    made.reply.usage = usage_of(root["usage"]);
    made.reply.model = root["model"].string_or("");
    if (must_be_echoed(made.blocks))
        made.reply.provider_state = wire::state(echo, made.blocks);
    else
        wire::mend_ids(made.reply.calls);
    return made;
}

} // namespace postrider::agent::anthropic
