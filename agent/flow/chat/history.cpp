#include "agent/flow/chat/history.hpp"

#include "agent/models/reply_json.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

#include <boost/json/object.hpp>

#include <charconv>

namespace postrider::agent {

namespace json = boost::json;

namespace {

constexpr std::string_view offer_member = "offers_new";
constexpr std::string_view speaker_member = "speaker";
constexpr std::string_view documents_member =
    "documents"; // also of postrider.message (message_documents.cpp)

bool is_kept(json::value const& state) {
    return !state.is_null() && base::json_text(state).size() <= most_state;
}

} // namespace

chat_message message_from(storage::message_row const& row) {
    chat_message message;
    message.role = role_from_string(row.role).value_or(role::user);
    message.content = row.content;
    base::json_reader detail{row.detail};
    if (auto calls = detail["calls"]) message.calls = calls_from_json(*calls.raw());
    if (auto state = detail["state"]) message.provider_state = *state.raw();
    if (auto left_open = detail["left_open"]) message.left_open = *left_open.raw();
    message.call_id = detail["call_id"].string_or("");
    message.is_error = detail["error"].boolean_or(false);
    message.error_reason = detail["reason"].string_or("");
    message.documents = documents_from(detail[documents_member].raw());
    message.speaker = row.sender.value_or(user_id{detail[speaker_member].int64_or(0)});
    return message;
}

std::uint64_t mark_of(storage::message_row const& row) noexcept {
    // The last step of SplitMix64: neighbours differ in all bits.
    auto mark = static_cast<std::uint64_t>(base::raw(row.job)) * 0x9e3779b97f4a7c15u +
                static_cast<std::uint64_t>(row.position);
    mark = (mark ^ (mark >> 30)) * 0xbf58476d1ce4e5b9u;
    mark = (mark ^ (mark >> 27)) * 0x94d049bb133111ebu;
    return mark ^ (mark >> 31);
}

json::array to_json(std::vector<attached_text> const& documents) {
    json::array list;
    for (auto const& document : documents)
        list.push_back(json::object{{"name", document.name}, {"text", document.text}});
    return list;
}

std::vector<attached_text> documents_from(json::value const* list) {
    std::vector<attached_text> documents;
    if (!list) return documents;
    for (auto const& document : base::json_reader{*list}.items_or_none())
        documents.push_back({document["name"].string_or(""), document["text"].string_or("")});
    return documents;
}

std::vector<answer_reaction> reactions_to(storage::message_row const& row) {
    std::vector<answer_reaction> reactions;
    if (row.role != to_string(role::assistant) || !row.detail.is_object()) return reactions;
    auto const* by_person = row.detail.get_object().if_contains("reactions");
    if (!by_person || !by_person->is_object()) return reactions;
    for (auto const& [person, list] : by_person->get_object()) {
        answer_reaction reaction{.answer = row.content};
        std::string_view const digits = person;
        auto user = base::raw(user_id{});
        std::from_chars(digits.data(), digits.data() + digits.size(), user);
        reaction.user = user_id{user};
        for (auto const& emoji : base::json_reader{list}.items_or_none())
            reaction.emoji.push_back(emoji.string_or(""));
        reactions.push_back(std::move(reaction));
    }
    return reactions;
}

bool offers_new_conversation(storage::message_row const& row) {
    return base::json_reader{row.detail}[offer_member].boolean_or(false);
}

void offer_new_conversation(storage::message_row& row) {
    if (!row.detail.is_object()) row.detail = json::object();
    row.detail.get_object()[offer_member] = true;
}

chat_message result_of(
    tool_call const& call, std::string text, bool is_error, std::string_view error_reason
) {
    chat_message message{.role = role::tool, .content = std::move(text)};
    message.call_id = call.id;
    message.is_error = is_error;
    message.error_reason = error_reason;
    return message;
}

storage::message_row row_from(chat_message const& message) {
    storage::message_row row;
    row.role = to_string(message.role);
    row.content = message.content;
    if (message.role == role::tool) {
        json::object detail{{"call_id", message.call_id}};
        if (message.is_error) detail["error"] = true;
        if (!message.error_reason.empty()) detail["reason"] = message.error_reason;
        row.detail = std::move(detail);
        return row;
    }
    json::object detail;
    if (!message.calls.empty()) detail["calls"] = to_json(message.calls);
    if (!message.left_open.is_null()) detail["left_open"] = message.left_open;
    if (is_kept(message.provider_state)) detail["state"] = message.provider_state;
    if (message.speaker != user_id{}) detail[speaker_member] = base::raw(message.speaker);
    if (!message.documents.empty()) detail[documents_member] = to_json(message.documents);
    if (!detail.empty()) row.detail = std::move(detail);
    return row;
}

} // namespace postrider::agent
