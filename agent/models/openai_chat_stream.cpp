// A chat completion, put together from its chunks, also as compatible servers send them: calls in
// one piece, without index or id, arguments as an object, no usage.
#include "agent/models/openai_wire.hpp"
#include "base/json.hpp"

#include <algorithm>

namespace postrider::agent::openai {

namespace json = boost::json;

namespace {

constexpr std::size_t most_calls = 1000;

class completion_stream final : public wire::stream {
public:
    explicit completion_stream(text_listener hear) : stream(std::move(hear)) {}

private:
    struct call {
        std::int64_t index = 0;
        std::string id;
        std::string name;
        json::value arguments = json::string();
    };

    base::result<void> take(json::object const& event) override;
    std::optional<json::object> whole() override;
    base::result<void> take_call(base::json_reader const& piece);
    call* find_call(base::json_reader const& piece);

    std::string model_;
    std::string text_;
    std::string refusal_;
    std::vector<call> calls_;
    std::string stop_;
    json::value usage_;
    json::value error_;
};

base::result<void> completion_stream::take(json::object const& event) {
    json::value const all = event;
    base::json_reader const from{all};
    if (auto const* error = from["error"].raw(); error && !error->is_null()) error_ = *error;
    if (model_.empty()) model_ = from["model"].string_or("");
    if (auto const* usage = from["usage"].raw(); usage && usage->is_object()) usage_ = *usage;
    for (auto const& choice : from["choices"].items_or_none()) {
        auto const delta = choice["delta"];
        auto const text = text_of(delta["content"]);
        text_ += text;
        tell(text);
        refusal_ += delta["refusal"].string_or("");
        for (auto const& piece : delta["tool_calls"].items_or_none())
            if (auto taken = take_call(piece); !taken) return taken;
        if (auto const stop = choice["finish_reason"].string_or(""); !stop.empty()) stop_ = stop;
    }
    return {};
}

// The call that the piece goes on with. The id and the name come with its first piece. Servers give
// several calls one number, or none: where a piece has none it is a call of its own.
completion_stream::call* completion_stream::find_call(base::json_reader const& piece) {
    if (!piece["index"]) return nullptr;
    auto const index = piece["index"].int64_or(0);
    auto const found = std::find_if(calls_.rbegin(), calls_.rend(), [&](call const& requested) {
        return requested.index == index;
    });
    if (found == calls_.rend()) return nullptr;
    auto const id = piece["id"].string_or("");
    bool const begins =
        !id.empty() && id != found->id && !piece["function"]["name"].string_or("").empty();
    return begins ? nullptr : &*found;
}

base::result<void> completion_stream::take_call(base::json_reader const& piece) {
    auto* to = find_call(piece);
    if (!to) {
        if (calls_.size() == most_calls) return wire::unusable_answer("too many calls");
        to = &calls_.emplace_back();
        to->index = piece["index"].int64_or(static_cast<std::int64_t>(calls_.size()) - 1);
    }
    auto const function = piece["function"];
    if (to->id.empty()) to->id = piece["id"].string_or("");
    if (to->name.empty()) to->name = function["name"].string_or("");
    auto const arguments = function["arguments"];
    if (arguments.is_object())
        to->arguments = *arguments.raw();
    else if (to->arguments.is_string())
        to->arguments.get_string().append(arguments.string_or(""));
    return {};
}

std::optional<json::object> completion_stream::whole() {
    if (!error_.is_null()) return json::object{{"error", error_}};
    if (stop_.empty() && !done()) return std::nullopt; // some leave the reason out
    json::array calls;
    for (auto& requested : calls_)
        calls.push_back(json::object{
            {"id", requested.id},
            {"type", "function"},
            {"function",
             json::object{{"name", requested.name}, {"arguments", std::move(requested.arguments)}}},
        });
    json::object message{{"role", "assistant"}, {"content", text_}};
    if (!refusal_.empty()) message["refusal"] = refusal_;
    if (!calls.empty()) message["tool_calls"] = std::move(calls);
    json::object choice{{"index", 0}, {"message", std::move(message)}, {"finish_reason", stop_}};
    return json::object{
        {"model", model_},
        {"choices", json::array{json::value(std::move(choice))}},
        {"usage", usage_},
    };
}

} // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): every API's has these parameters
std::shared_ptr<wire::stream> completion_stream_of(text_listener hear, std::string /*model*/) {
    return std::make_shared<completion_stream>(std::move(hear));
}

} // namespace postrider::agent::openai
