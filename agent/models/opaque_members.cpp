#include "agent/models/opaque_members.hpp"

#include "base/json/json.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace postrider::agent::openai {

namespace json = boost::json;

namespace {

using word_list = std::span<std::string_view const>;

// OpenAI refuses to be sent its annotations. What function_call was is in tool_calls today.
constexpr std::array<std::string_view, 7> message_words{
    "role", "content", "tool_calls", "refusal", "annotations", "audio", "function_call"};
constexpr std::array<std::string_view, 4> call_words{"index", "id", "type", "function"};
constexpr std::array<std::string_view, 2> function_words{"name", "arguments"};
// Members that every piece of a stream may repeat. All other texts come in parts.
constexpr std::array<std::string_view, 6> whole_words{
    "id", "type", "format", "name", "role", "object"};

bool is_word_among(word_list words, json::string_view name) {
    return std::ranges::find(words, std::string_view(name.data(), name.size())) != words.end();
}

// A part of a text is rarely as long as this and the same as all before it: that is a repetition.
constexpr std::size_t longest_equal_part = 32;

void join(json::value& whole, json::value const& piece);

bool is_same_item(json::value const& left, json::value const& right) {
    base::json_reader const whole{left};
    base::json_reader const piece{right};
    if (!whole.is_object() || !piece.is_object()) return false;
    auto differ = [&](std::string_view name) {
        return whole[name] && piece[name] && *whole[name].raw() != *piece[name].raw();
    };
    if (differ("index") || differ("type") || differ("id")) return false;
    if (whole["index"] && piece["index"]) return true;
    // Without a number a part of a text goes on with the last item; data that is encrypted is whole.
    return !piece["data"];
}

void join(json::array& whole, json::array const& pieces) {
    for (auto const& piece : pieces) {
        bool const has_index = static_cast<bool>(base::json_reader{piece}["index"]);
        auto const begin = has_index || whole.empty() ? whole.begin() : whole.end() - 1;
        auto const existing = std::find_if(begin, whole.end(), [&](json::value const& item) {
            return is_same_item(item, piece);
        });
        if (existing == whole.end())
            whole.push_back(piece);
        else
            join(*existing, piece);
    }
}

void join_member(json::object& whole, json::string_view name, json::value const& piece) {
    if (piece.is_null()) return;
    auto* existing = whole.if_contains(name);
    if (!existing || existing->is_null())
        whole[name] = piece;
    else if (!is_word_among(whole_words, name))
        join(*existing, piece);
}

void join(json::value& whole, json::value const& piece) {
    bool const continues = whole.kind() == piece.kind();
    if (auto const* text = continues ? piece.if_string() : nullptr) {
        bool const is_repeated = text->size() > longest_equal_part && whole == piece;
        if (!is_repeated) whole.get_string().append(*text);
    } else if (auto const* items = continues ? piece.if_array() : nullptr) {
        join(whole.get_array(), *items);
    } else if (auto const* members = continues ? piece.if_object() : nullptr) {
        for (auto const& [name, value] : *members) join_member(whole.get_object(), name, value);
    } else {
        whole = piece;
    }
}

void join_unread(json::object& whole, json::object const& piece, word_list read) {
    for (auto const& [name, value] : piece)
        if (!is_word_among(read, name)) join_member(whole, name, value);
}

// Null for what is no object.
json::object const* object_at(json::object const& within, std::string_view name) {
    auto const* member = within.if_contains(name);
    return member ? member->if_object() : nullptr;
}

json::array const* array_at(json::object const& within, std::string_view name) {
    auto const* member = within.if_contains(name);
    return member ? member->if_array() : nullptr;
}

void return_members(json::object& to, json::object const& kept) {
    for (auto const& [name, value] : kept) to[name] = value;
}

void return_to_call(json::object& call, json::object const& kept) {
    for (auto const& [name, value] : kept)
        if (name != "function") call[name] = value;
    if (auto const* function = object_at(kept, "function"))
        return_members(call.at("function").as_object(), *function);
}

} // namespace

void join_opaque(json::object& whole, json::object const& delta) {
    join_unread(whole, delta, message_words);
}

void join_opaque_of_call(json::object& whole, json::object const& piece) {
    join_unread(whole, piece, call_words);
    auto const* function = object_at(piece, "function");
    if (!function) return;
    json::object inside;
    join_unread(inside, *function, function_words);
    if (!inside.empty()) join_member(whole, "function", inside);
}

void join_content(json::value& whole, json::value const& piece) {
    if (piece.is_array() && whole.is_string()) {
        json::string const before = std::move(whole.get_string());
        whole = json::array();
        if (!before.empty())
            whole.get_array().push_back(json::object{{"type", "text"}, {"text", before}});
    }
    if (piece.is_string() && whole.is_string())
        whole.get_string().append(piece.get_string());
    else if (piece.is_string() && whole.is_array())
        join(whole.get_array(), {json::object{{"type", "text"}, {"text", piece}}});
    else if (!piece.is_null())
        join(whole, piece);
}

json::object opaque_members(json::object const& message) {
    json::object result;
    join_opaque(result, message);
    auto const* calls = array_at(message, "tool_calls");
    if (!calls) return result;
    json::array members_of_calls;
    bool has_members = false;
    for (auto const& call : *calls) {
        json::object of_call;
        if (auto const* members = call.if_object()) join_opaque_of_call(of_call, *members);
        has_members = has_members || !of_call.empty();
        members_of_calls.push_back(std::move(of_call));
    }
    if (has_members) result["tool_calls"] = std::move(members_of_calls);
    return result;
}

void return_opaque(json::object& message, json::object const& kept) {
    for (auto const& [name, value] : kept)
        if (name != "tool_calls") message[name] = value;
    auto const* of_calls = array_at(kept, "tool_calls");
    auto* calls = message.if_contains("tool_calls");
    if (!of_calls || !calls || calls->as_array().size() != of_calls->size()) return;
    for (std::size_t i = 0; i < of_calls->size(); ++i)
        if (auto const* of_call = (*of_calls)[i].if_object())
            return_to_call(calls->get_array()[i].as_object(), *of_call);
}

} // namespace postrider::agent::openai
