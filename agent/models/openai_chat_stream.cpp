// A chat completion, put together from its chunks, also as compatible servers send them: calls in
// one piece, without index or id, arguments as an object, no usage.
#include "agent/models/opaque_members.hpp"
#include "agent/models/openai_wire.hpp"
#include "base/json/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

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
        json::object opaque = {};
    };

    base::result<void> take(json::object const& event) override;
    std::optional<json::object> whole() override;
    bool is_of_other_choice(base::json_reader const& choice);
    base::result<void> take_call(base::json_reader const& piece);
    call* find_call(base::json_reader const& piece);
    call* find_unnumbered(base::json_reader const& piece);
    static bool is_behind_whole(call const& last, base::json_reader const& function);

    std::string model_;
    json::value content_ = json::string();
    std::string refusal_;
    json::object opaque_;
    std::vector<call> calls_;
    std::string stop_;
    std::optional<std::int64_t> choice_; // that is read
    json::value usage_;
    json::value error_;
    json::value complaint_;
    json::value choice_error_;
};

// Some servers write it as text.
std::optional<std::int64_t> number_in(base::json_reader const& member) {
    if (!member) return std::nullopt;
    if (!member.is_string()) return member.int64_or(0);
    auto const text = member.string();
    std::int64_t number = 0;
    auto const read = std::from_chars(text.data(), text.data() + text.size(), number);
    bool const is_whole = read.ec == std::errc{} && read.ptr == text.data() + text.size();
    return is_whole ? std::optional(number) : std::nullopt;
}

// An event that brings nothing of an answer, but says something: gateways report failures in many forms.
bool is_complaint(base::json_reader const& event) {
    constexpr std::array<std::string_view, 9> words{
        "message",
        "msg",
        "detail",
        "details",
        "errors",
        "error_message",
        "error_msg",
        "code",
        "status"};
    bool const says_something =
        std::ranges::any_of(words, [&](auto word) { return static_cast<bool>(event[word]); });
    return says_something && !event["usage"] && event["choices"].items_or_none().empty();
}

base::result<void> completion_stream::take(json::object const& event) {
    json::value const all = event;
    base::json_reader const from{all};
    if (auto const error = from["error"]) error_ = *error.raw();
    if (from["object"].string_or("") == "error" || from["type"].string_or("") == "error")
        error_ = all; // vLLM; gateways to Anthropic's models
    if (is_complaint(from)) complaint_ = all;
    if (model_.empty()) model_ = from["model"].string_or("");
    if (auto const* usage = from["usage"].raw(); usage && usage->is_object()) usage_ = *usage;
    for (auto const& choice : from["choices"].items_or_none()) {
        if (is_of_other_choice(choice)) continue;
        if (auto const error = choice["error"]) choice_error_ = *error.raw();
        auto const delta = choice["delta"];
        tell(text_of(delta["content"]));
        if (auto const* content = delta["content"].raw()) join_content(content_, *content);
        refusal_ += delta["refusal"].string_or("");
        if (delta.is_object()) join_opaque(opaque_, delta.raw()->get_object());
        for (auto const& piece : delta["tool_calls"].items_or_none())
            if (auto taken = take_call(piece); !taken) return taken;
        if (auto const stop = choice["finish_reason"].string_or(""); !stop.empty()) stop_ = stop;
    }
    return {};
}

// One choice is asked for. A server that makes more sends their pieces in turn.
bool completion_stream::is_of_other_choice(base::json_reader const& choice) {
    auto const index = number_in(choice["index"]);
    if (!index) return false;
    if (!choice_) choice_ = index;
    return index != choice_;
}

bool is_blank_text(base::json_reader const& text) {
    return !text.is_object() && wire::is_blank(text.string_or(""));
}

// Without ids, a call that is whole is followed by another.
bool completion_stream::is_behind_whole(call const& last, base::json_reader const& function) {
    return !is_blank_text(function["arguments"]) &&
           (last.arguments.is_object() || base::parse_json(last.arguments.get_string()).has_value()
           );
}

// The call that the piece goes on with. The id and the name come with its first piece, and may come
// with every piece. Servers give several calls one number, or none.
completion_stream::call* completion_stream::find_call(base::json_reader const& piece) {
    auto const index = number_in(piece["index"]);
    if (!index) return find_unnumbered(piece);
    auto const match = std::find_if(calls_.rbegin(), calls_.rend(), [&](call const& requested) {
        return requested.index == *index;
    });
    if (match == calls_.rend()) return nullptr;
    auto const id = piece["id"].string_or("");
    auto const function = piece["function"];
    bool const is_named = !function["name"].string_or("").empty();
    bool const is_other = id.empty() ? is_behind_whole(*match, function) : id != match->id;
    return is_named && is_other ? nullptr : &*match;
}

// What has neither an id nor another name goes on with the last call. Arguments alone do so under
// whatever id: some servers make a new one for each piece.
completion_stream::call* completion_stream::find_unnumbered(base::json_reader const& piece) {
    auto const id = piece["id"].string_or("");
    if (auto const place = std::ranges::find(calls_, id, &call::id);
        !id.empty() && place != calls_.end())
        return &*place;
    if (calls_.empty()) return nullptr;
    auto& last = calls_.back();
    auto const function = piece["function"];
    auto const name = function["name"].string_or("");
    bool goes_on = name.empty() || (name == last.name && !is_behind_whole(last, function));
    if (!id.empty())
        goes_on = name.empty() && !is_blank_text(function["arguments"]) &&
                  !is_behind_whole(last, function);
    return goes_on ? &last : nullptr;
}

base::result<void> completion_stream::take_call(base::json_reader const& piece) {
    if (!piece.is_object()) return {};
    auto* to = find_call(piece);
    if (!to) {
        if (calls_.size() == most_calls) return wire::unusable_answer("too many calls");
        to = &calls_.emplace_back();
        auto const place = static_cast<std::int64_t>(calls_.size()) - 1;
        to->index = number_in(piece["index"]).value_or(place);
    }
    join_opaque_of_call(to->opaque, piece.raw()->get_object());
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
    // Behind the reason of the end, what else is said changes nothing.
    if (error_.is_null() && stop_.empty()) error_ = std::move(complaint_);
    if (!error_.is_null()) return json::object{{"error", error_}};
    bool const failed = !choice_error_.is_null();
    if (stop_.empty() && !done() && !failed) return std::nullopt; // some leave the reason out
    json::array calls;
    json::array of_calls;
    for (auto& requested : calls_) {
        calls.push_back(json::object{
            {"id", requested.id},
            {"type", "function"},
            {"function",
             json::object{{"name", requested.name}, {"arguments", std::move(requested.arguments)}}},
        });
        of_calls.push_back(std::move(requested.opaque));
    }
    json::object message{{"role", "assistant"}, {"content", std::move(content_)}};
    if (!refusal_.empty()) message["refusal"] = refusal_;
    if (!calls.empty()) message["tool_calls"] = std::move(calls);
    opaque_["tool_calls"] = std::move(of_calls);
    return_opaque(message, opaque_);
    json::object choice{{"index", 0}, {"message", std::move(message)}, {"finish_reason", stop_}};
    if (failed) choice["error"] = std::move(choice_error_);
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
