#include "tests/support/fake_models/dialects.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <set>

namespace postrider::tests {

namespace json = boost::json;

namespace {

refusal anthropic_refusal(std::string message) {
    return {400, "invalid_request_error", std::move(message)};
}

struct turn_message {
    std::string role;
    json::array blocks;
};

json::array blocks_of(json::value const& content) {
    if (auto text = content.if_string()) return {json::object{{"type", "text"}, {"text", *text}}};
    if (auto blocks = content.if_array()) return *blocks;
    return {};
}

// Same-role neighbours count as one message.
std::vector<turn_message> merged(json::array const& messages) {
    std::vector<turn_message> all;
    for (auto const& message : messages) {
        auto role = text_at(message, "role");
        auto blocks = blocks_of(at(message, "content"));
        if (all.empty() || all.back().role != role) all.push_back({role, {}});
        for (auto& block : blocks) all.back().blocks.push_back(block);
    }
    return all;
}

std::set<std::string> ids_of(
    json::array const& blocks, std::string_view type, std::string_view id
) {
    std::set<std::string> ids;
    for (auto const& block : blocks)
        if (text_at(block, "type") == type) ids.insert(text_at(block, id));
    return ids;
}

bool results_first(json::array const& blocks) {
    bool other = false;
    for (auto const& block : blocks) {
        bool const result = text_at(block, "type") == "tool_result";
        if (result && other) return false;
        other = other || !result;
    }
    return true;
}

std::optional<refusal> check_pairing(std::vector<turn_message> const& messages) {
    std::set<std::string> open;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        auto const& [role, blocks] = messages[i];
        auto const where = "messages." + std::to_string(i);
        auto const results = ids_of(blocks, "tool_result", "tool_use_id");
        for (auto const& id : results)
            if (!open.contains(id))
                return anthropic_refusal(
                    where +
                    ".content.0: unexpected `tool_use_id` found in `tool_result` blocks: " + id
                );
        for (auto const& id : open)
            if (!results.contains(id))
                return anthropic_refusal(
                    where +
                    ": `tool_use` ids were found without `tool_result` blocks immediately "
                    "after: " +
                    id
                );
        if (!results_first(blocks))
            return anthropic_refusal(
                where + ": `tool_result` blocks must come before other content"
            );
        open = ids_of(blocks, "tool_use", "id");
    }
    if (!open.empty())
        return anthropic_refusal(
            "`tool_use` ids were found without `tool_result` blocks: " + *open.begin()
        );
    return std::nullopt;
}

std::optional<refusal> check_messages(json::array const& messages, bool after_pause) {
    if (messages.empty()) return anthropic_refusal("messages: at least one message is required");
    auto all = merged(messages);
    if (all.front().role != "user")
        return anthropic_refusal("messages: first message must use the \"user\" role");
    if (all.back().role == "assistant" && !after_pause)
        return anthropic_refusal("This model does not support assistant message prefill.");
    for (auto const& [role, blocks] : all) {
        if (blocks.empty())
            return anthropic_refusal("messages: all messages must have non-empty content");
        for (auto const& block : blocks)
            if (text_at(block, "type") == "text" && text_at(block, "text").empty())
                return anthropic_refusal("messages: text content blocks must be non-empty");
    }
    return check_pairing(all);
}

// Models after Opus 4.6.
bool is_modern(std::string_view model) {
    for (std::string_view line :
         {"claude-haiku-5",
          "claude-sonnet-5",
          "claude-opus-5",
          "claude-opus-4-7",
          "claude-opus-4-8",
          "claude-fable",
          "claude-mythos"})
        if (model.starts_with(line)) return true;
    return false;
}

std::optional<refusal> check_sampling(fake_request const& request, json::object const& body) {
    bool const first_version = request.headers.at("anthropic-version") == "2023-06-01";
    for (auto name : {"temperature", "top_p", "top_k"})
        if (body.contains(name) && !first_version)
            return anthropic_refusal(std::string(name) + ": Extra inputs are not permitted");
    auto const* temperature = body.if_contains("temperature");
    if (temperature && *temperature != json::value(1.0) && is_modern(text_at(body, "model")))
        return anthropic_refusal("temperature: may only be set to 1 for this model");
    return std::nullopt;
}

// At most four, and never on what the provider makes itself.
std::optional<refusal> check_marks(json::object const& body) {
    int marks = 0;
    auto count = [&](json::value const& blocks) {
        if (auto const* list = blocks.if_array())
            for (auto const& block : *list) marks += at(block, "cache_control").is_object();
    };
    count(at(body, "tools"));
    count(at(body, "system"));
    for (auto const& message : body.at("messages").as_array()) {
        count(at(message, "content"));
        if (auto const* blocks = at(message, "content").if_array())
            for (auto const& block : *blocks)
                if (text_at(block, "type") == "thinking" &&
                    block.as_object().contains("cache_control"))
                    return anthropic_refusal("thinking blocks cannot have cache_control");
    }
    if (marks > 4)
        return anthropic_refusal("A maximum of 4 blocks with cache_control may be provided.");
    return std::nullopt;
}

std::optional<refusal> check_format(json::object const& body) {
    auto const& format = at(at(body, "output_config"), "format");
    auto wrong = strict_misfit(at(format, "schema"));
    if (auto const* tools = at(body, "tools").if_array())
        for (auto const& tool : *tools)
            if (wrong.empty() && at(tool, "strict") == json::value(true))
                wrong = strict_misfit(at(tool, "input_schema"));
    if (wrong.empty()) return std::nullopt;
    return anthropic_refusal("output_config.format.schema: " + wrong);
}

bool refuses_force(std::string const& model) {
    return model == "claude-opus-5-5" || model == "claude-sonnet-5-5" ||
           model == "claude-fable-5-1";
}

bool forces(std::string const& choice) {
    return choice == "any" || choice == "tool";
}

std::optional<refusal> check_tools(json::object const& body) {
    auto tools = body.if_contains("tools");
    if (!tools && body.contains("tool_choice"))
        return anthropic_refusal("tool_choice may only be specified while providing tools");
    if (!tools || !tools->is_array()) return std::nullopt;
    if (refuses_force(text_at(body, "model")) && forces(text_at(at(body, "tool_choice"), "type")))
        return anthropic_refusal("tool_choice: forced tool use is not supported by this model");
    for (auto const& tool : tools->get_array())
        if (text_at(tool, "name").empty() || text_at(at(tool, "input_schema"), "type") != "object")
            return anthropic_refusal("tools.0.custom.input_schema.type: Input should be 'object'");
    return std::nullopt;
}

std::optional<refusal> check(fake_request const& request, bool after_pause) {
    if (!request.headers.contains("anthropic-version"))
        return anthropic_refusal("anthropic-version: header is required");
    auto body = request.body.if_object();
    if (!body) return anthropic_refusal("The request body is not valid JSON");
    for (auto name : {"model", "max_tokens", "messages"})
        if (!body->contains(name)) return anthropic_refusal(std::string(name) + ": Field required");
    if (auto wrong = check_sampling(request, *body)) return wrong;
    if (auto wrong = check_tools(*body)) return wrong;
    if (auto wrong = check_format(*body)) return wrong;
    auto messages = body->at("messages").if_array();
    if (!messages) return anthropic_refusal("messages: Input should be a valid list");
    if (auto wrong = check_marks(*body)) return wrong;
    return check_messages(*messages, after_pause);
}

prompt_part part_of(json::value block) {
    prompt_part part;
    if (auto* object = block.if_object()) part.marked = object->erase("cache_control") > 0;
    part.text = json::serialize(block);
    return part;
}

// Tools, then the system prompt, then the messages: a change makes all behind it new.
cache_usage count(json::object const& request, prompt_cache& cache) {
    std::vector<prompt_part> parts;
    if (auto const* tools = at(request, "tools").if_array())
        for (auto const& tool : *tools) parts.push_back(part_of(tool));
    for (auto const& block : blocks_of(at(request, "system"))) parts.push_back(part_of(block));
    parts.push_back({json::serialize(at(request, "tool_choice"))});
    for (auto const& [role, blocks] : merged(request.at("messages").as_array())) {
        parts.push_back({"[" + role + "]"});
        for (auto const& block : blocks) parts.push_back(part_of(block));
    }
    auto const model = text_at(request, "model");
    return cache.take_marked(model, parts, model.starts_with("claude-haiku-4") ? 4096 : 1024);
}

json::value answer(
    fake_reply const& reply, json::object const& request, int number, cache_usage const& used
) {
    auto const tail = std::to_string(number);
    json::array content;
    if (reply.thinks)
        content.push_back(json::object{
            {"type", "thinking"}, {"thinking", ""}, {"signature", "c2lnbmVk" + tail}});
    if (!reply.text.empty())
        content.push_back(json::object{
            {"type", "text"}, {"text", reply.text}, {"citations", nullptr}});
    int index = 0;
    for (auto const& call : reply.calls)
        content.push_back(json::object{
            {"type", "tool_use"},
            {"id", "toolu_" + tail + "_" + std::to_string(++index)},
            {"name", call.name},
            {"input", call.arguments},
            {"caller", json::object{{"type", "direct"}}},
        });
    auto stop = reply.calls.empty() ? "end_turn" : "tool_use";
    return json::object{
        {"id", "msg_" + tail},
        {"type", "message"},
        {"role", "assistant"},
        {"model", request.at("model")},
        {"content", std::move(content)},
        {"stop_reason", reply.stop.empty() ? std::string(stop) : reply.stop},
        {"stop_sequence", nullptr},
        {"usage",
         json::object{
             {"input_tokens", used.fresh},
             {"cache_creation_input_tokens", used.written},
             {"cache_read_input_tokens", used.read},
             {"output_tokens", 7},
         }},
    };
}

json::value anthropic_failure(refusal const& problem) {
    return json::object{
        {"type", "error"},
        {"error", json::object{{"type", problem.error}, {"message", problem.message}}},
        {"request_id", "req_fake"},
    };
}

// What is asked stands first in its message; notes may come behind it, and results before.
std::string last_user_text(json::object const& request) {
    std::string text;
    for (auto const& message : request.at("messages").as_array()) {
        if (text_at(message, "role") != "user") continue;
        auto const blocks = blocks_of(at(message, "content"));
        if (!blocks.empty() && text_at(blocks.front(), "type") == "text")
            text = text_at(blocks.front(), "text");
    }
    return text;
}

} // namespace

dialect const anthropic_dialect{
    "/v1/messages",
    check,
    count,
    answer,
    anthropic_failure,
    anthropic_events,
    anthropic_error_event,
    last_user_text};

} // namespace postrider::tests
