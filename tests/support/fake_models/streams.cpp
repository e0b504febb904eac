// The providers' answers as server-sent events, in small pieces.
#include "tests/support/fake_models/dialects.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

namespace postrider::tests {

namespace json = boost::json;

namespace {

// Named as Anthropic and the Responses API name theirs: after the type in the data.
std::string named(json::object const& data) {
    return "event: " + text_at(data, "type") + "\ndata: " + json::serialize(data) + "\n\n";
}

std::string unnamed(json::object const& data) {
    return "data: " + json::serialize(data) + "\n\n";
}

// A few characters at a time, whole ones.
std::vector<std::string> pieces_of(std::string_view text) {
    std::vector<std::string> pieces;
    while (!text.empty()) {
        std::size_t size = std::min<std::size_t>(text.size(), 5);
        while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80)
            ++size;
        pieces.emplace_back(text.substr(0, size));
        text.remove_prefix(size);
    }
    return pieces;
}

json::object delta(
    std::int64_t index, std::string_view type, std::string_view name, std::string_view piece
) {
    return {
        {"type", "content_block_delta"},
        {"index", index},
        {"delta", json::object{{"type", type}, {name, piece}}}};
}

void add_block(std::vector<std::string>& to, std::int64_t index, json::object block) {
    auto const type = text_at(block, "type");
    std::string text;
    std::string input;
    std::string signature;
    if (type == "text") text = text_at(block, "text");
    if (type == "tool_use") input = json::serialize(block["input"]);
    if (type == "thinking") signature = text_at(block, "signature");
    if (block.contains("text")) block["text"] = "";
    if (block.contains("input")) block["input"] = json::object();
    block.erase("signature");
    to.push_back(named(
        {{"type", "content_block_start"}, {"index", index}, {"content_block", std::move(block)}}
    ));
    to.push_back(named({{"type", "ping"}}));
    for (auto const& piece : pieces_of(text))
        to.push_back(named(delta(index, "text_delta", "text", piece)));
    if (input != "{}")
        for (auto const& piece : pieces_of(input))
            to.push_back(named(delta(index, "input_json_delta", "partial_json", piece)));
    if (!signature.empty())
        to.push_back(named(delta(index, "signature_delta", "signature", signature)));
    to.push_back(named({{"type", "content_block_stop"}, {"index", index}}));
}

} // namespace

std::vector<std::string> anthropic_events(json::object const& answer) {
    auto begun = answer;
    begun["content"] = json::array();
    begun["stop_reason"] = nullptr;
    begun["usage"].as_object()["output_tokens"] = 1;
    std::vector<std::string> events{
        named({{"type", "message_start"}, {"message", std::move(begun)}})};
    std::int64_t index = 0;
    for (auto const& block : answer.at("content").as_array())
        add_block(events, index++, block.as_object());
    events.push_back(named({
        {"type", "message_delta"},
        {"delta",
         json::object{{"stop_reason", answer.at("stop_reason")}, {"stop_sequence", nullptr}}},
        {"usage", json::object{{"output_tokens", answer.at("usage").at("output_tokens")}}},
    }));
    events.push_back(named({{"type", "message_stop"}}));
    return events;
}

std::string anthropic_error_event(std::string const& error) {
    return named(
        {{"type", "error"},
         {"error", json::object{{"type", error}, {"message", "a scripted failure"}}}}
    );
}

std::string response_error_event(std::string const& error) {
    return named({{"type", "error"}, {"code", error}, {"message", "a scripted failure"}});
}

std::string chat_error_event(std::string const& error) {
    return unnamed({{"error", json::object{{"code", error}, {"message", "a scripted failure"}}}});
}

std::vector<std::string> response_events(json::object const& answer) {
    std::vector<std::string> events{named({{"type", "response.created"}})};
    for (auto const& item : answer.at("output").as_array()) {
        auto const type = text_at(item, "type");
        if (type == "message")
            for (auto const& piece : pieces_of(text_at(at(item, "content").at(0), "text")))
                events.push_back(named({{"type", "response.output_text.delta"}, {"delta", piece}}));
        if (type == "function_call")
            for (auto const& piece : pieces_of(text_at(item, "arguments")))
                events.push_back(
                    named({{"type", "response.function_call_arguments.delta"}, {"delta", piece}})
                );
    }
    auto const last = "response." + text_at(answer, "status");
    events.push_back(named({{"type", last}, {"response", answer}}));
    return events;
}

std::vector<std::string> chat_events(json::object const& answer) {
    auto chunk = [&](json::object delta, json::value stop) {
        json::object choice{
            {"index", 0}, {"delta", std::move(delta)}, {"finish_reason", std::move(stop)}};
        return unnamed({
            {"object", "chat.completion.chunk"},
            {"model", answer.at("model")},
            {"choices", json::array{json::value(std::move(choice))}},
            {"usage", nullptr},
        });
    };
    auto const& choice = answer.at("choices").at(0);
    auto const& message = choice.at("message");
    std::vector<std::string> events{chunk({{"role", "assistant"}}, nullptr)};
    for (std::string_view const member : {"reasoning_content", "content"})
        for (auto const& piece : pieces_of(text_at(message, member)))
            events.push_back(chunk({{member, piece}}, nullptr));
    std::int64_t index = 0;
    if (auto const* calls = at(message, "tool_calls").if_array())
        for (auto const& call : *calls) {
            auto first = call.as_object();
            auto const arguments = at(call, "function").at("arguments");
            if (arguments.is_string()) first["function"].as_object()["arguments"] = "";
            first["index"] = index;
            events.push_back(chunk({{"tool_calls", json::array{json::value(first)}}}, nullptr));
            if (arguments.is_string())
                for (auto const& piece : pieces_of(std::string(arguments.get_string()))) {
                    json::object const more{
                        {"index", index}, {"function", json::object{{"arguments", piece}}}};
                    events.push_back(
                        chunk({{"tool_calls", json::array{json::value(more)}}}, nullptr)
                    );
                }
            ++index;
        }
    events.push_back(chunk({}, choice.at("finish_reason")));
    events.push_back(unnamed(
        {{"object", "chat.completion.chunk"},
         {"model", answer.at("model")},
         {"choices", json::array()},
         {"usage", answer.at("usage")}}
    ));
    events.push_back("data: [DONE]\n\n");
    return events;
}

} // namespace postrider::tests
