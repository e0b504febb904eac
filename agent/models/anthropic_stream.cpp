// A message of the Messages API, put together from its events.
#include "agent/models/anthropic_wire.hpp"
#include "agent/models/errors.hpp"
#include "base/json/json.hpp"

#include <algorithm>

namespace postrider::agent::anthropic {

namespace json = boost::json;

namespace {

constexpr std::size_t most_blocks = 1000;

void append(json::object& object, std::string_view name, std::string const& text) {
    auto& member = object[name];
    if (!member.is_string()) member.emplace_string();
    member.get_string().append(text);
}

class message_stream final : public wire::stream {
public:
    message_stream(text_listener hear, std::string model)
        : stream(std::move(hear)),
          model_(std::move(model)) {}

private:
    struct block {
        std::int64_t index = 0;
        json::object content;
        std::string input = {};  // JSON in pieces
        bool is_readable = true; // else a piece of it is of an unknown kind
    };

    base::result<void> take(json::object const& event) override;
    std::optional<json::object> whole() override;
    base::result<void> take_block(base::json_reader const& event);
    base::result<void> take_delta(base::json_reader const& event);
    void take_end(base::json_reader const& event);
    std::vector<block>::iterator find_block(std::int64_t index) {
        return std::ranges::find(blocks_, index, &block::index);
    }

    std::string model_;
    json::object message_;
    std::vector<block> blocks_;
    bool over_ = false;
};

base::result<void> message_stream::take(json::object const& event) {
    json::value const all = event;
    base::json_reader const from{all};
    auto const type = from["type"].string_or("");
    if (type == "error") return anthropic_error(all, model_);
    if (type == "message_start") {
        if (auto const* message = from["message"].raw(); message && message->is_object())
            message_ = message->get_object();
    } else if (type == "content_block_start") {
        return take_block(from);
    } else if (type == "content_block_delta") {
        return take_delta(from);
    } else if (type == "message_delta") {
        take_end(from);
    } else if (type == "message_stop") {
        over_ = true;
    }
    return {};
}

base::result<void> message_stream::take_block(base::json_reader const& event) {
    auto const index = event["index"].int64_or(-1);
    auto const* content = event["content_block"].raw();
    if (find_block(index) != blocks_.end() || blocks_.size() == most_blocks || !content ||
        !content->is_object())
        return wire::unusable_answer("a block out of order");
    blocks_.push_back({.index = index, .content = content->get_object()});
    tell(event["content_block"]["text"].string_or(""));
    return {};
}

base::result<void> message_stream::take_delta(base::json_reader const& event) {
    auto const index = event["index"].int64_or(-1);
    auto const found = find_block(index);
    if (found == blocks_.end()) return wire::unusable_answer("a piece of no block");
    auto& to = *found;
    auto const delta = event["delta"];
    auto const type = delta["type"].string_or("");
    if (type == "text_delta") {
        auto const text = delta["text"].string_or("");
        append(to.content, "text", text);
        tell(text);
    } else if (type == "input_json_delta") {
        to.input += delta["partial_json"].string_or("");
    } else if (type == "thinking_delta") {
        append(to.content, "thinking", delta["thinking"].string_or(""));
    } else if (type == "signature_delta") {
        append(to.content, "signature", delta["signature"].string_or(""));
    } else if (auto const content = delta["content"]; type == "compaction_delta") {
        if (content.is_string()) append(to.content, "content", content.string());
    } else if (auto const* citation = delta["citation"].raw();
               type == "citations_delta" && citation) {
        auto& all = to.content["citations"];
        if (!all.is_array()) all.emplace_array();
        all.get_array().push_back(*citation);
    } else {
        to.is_readable = false;
    }
    return {};
}

// What the usage tells is of the whole message so far, not of a piece.
void message_stream::take_end(base::json_reader const& event) {
    if (auto const* delta = event["delta"].raw(); delta && delta->is_object())
        for (auto const& [name, value] : delta->get_object()) message_[name] = value;
    auto& used = message_["usage"];
    if (!used.is_object()) used.emplace_object();
    if (auto const* usage = event["usage"].raw(); usage && usage->is_object())
        for (auto const& [name, value] : usage->get_object())
            if (!value.is_null()) used.get_object()[name] = value;
}

// Of these the answer is made, whatever else comes with them. Any other block only goes back, and must be
// as the model has made it.
bool is_of_answer(json::object const& block) {
    auto const* type = block.if_contains("type");
    return type && (*type == "text" || *type == "tool_use");
}

// Without a reason it was broken off: a gateway may still close its stream in order.
std::optional<json::object> message_stream::whole() {
    auto const* reason = message_.if_contains("stop_reason");
    auto const* word = reason ? reason->if_string() : nullptr;
    if (!over_ || !word || word->empty()) return std::nullopt;
    json::array content;
    for (auto& opened : blocks_) {
        if (!opened.is_readable && !is_of_answer(opened.content)) continue;
        if (!opened.input.empty()) {
            auto input = base::parse_json(opened.input);
            opened.content["input"] = input ? std::move(*input) : json::value(nullptr);
        }
        content.push_back(std::move(opened.content));
    }
    message_["content"] = std::move(content);
    return std::move(message_);
}

} // namespace

std::shared_ptr<wire::stream> stream_of(text_listener hear, std::string model) {
    return std::make_shared<message_stream>(std::move(hear), std::move(model));
}

} // namespace postrider::agent::anthropic
