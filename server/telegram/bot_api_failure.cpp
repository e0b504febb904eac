// failure_of(): the one place that knows how Telegram says no.
#include "agent/talk/refusal_words.hpp"
#include "base/json/json.hpp"
#include "base/names.hpp"
#include "server/telegram/bot_api.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace postrider::telegram {

namespace {

using base::errc;

struct known_refusal {
    std::string_view description; // a part of it
    std::string_view reason = {}; // as agent/talk/refusal_words.hpp words it
};

// A 400 that will stay one because the chat or the user does not want us, or is gone.
constexpr known_refusal refusals[]{
    {"chat not found", agent::messenger_refusal::no_chat},
    {"not enough rights", agent::messenger_refusal::missing_right},
    {"have no rights", agent::messenger_refusal::missing_right},
    {"CHAT_WRITE_FORBIDDEN"},
    {"CHAT_ADMIN_REQUIRED", agent::messenger_refusal::missing_right},
    {"group chat was deactivated"},
    {"is an administrator of the chat", agent::messenger_refusal::of_administrator},
    {"can't remove chat owner", agent::messenger_refusal::of_owner},
    {"can't restrict self", agent::messenger_refusal::of_bot},
    {"message can't be deleted", agent::messenger_refusal::undeletable},
    {"MESSAGE_DELETE_FORBIDDEN", agent::messenger_refusal::undeletable},
    {"in private chats"},
    {"business connection"},
    {"BUSINESS_"}, // CONNECTION_INVALID, PEER_INVALID, PEER_USAGE_MISSING
    {"available only for supergroups"}};

// Of a 403.
constexpr std::array<std::string_view, 2> removals_of_bot{"bot was kicked", "bot is not a member"};

// A 400 about a user whom the chat has never seen.
constexpr std::array<std::string_view, 5> missing_users{
    "user not found",
    "member not found",
    "PARTICIPANT_ID_INVALID",
    "USER_ID_INVALID",
    "HIDE_REQUESTER_MISSING"};

struct known_objection {
    std::string_view description; // a part of it, in lower case
    telegram::objection objection;
};

constexpr known_objection objections[]{
    {"can't parse entities", objection::markup},
    {"entities_too_long", objection::markup},
    {"entity_", objection::markup},
    {"message is too long", objection::length},
    {"message_too_long", objection::length},
    {"caption is too long", objection::length},
    {"caption_too_long", objection::length},
    {"thread not found", objection::thread},
    {"thread_id_invalid", objection::thread},
    {"thread_invalid", objection::thread},
    {"topic not found", objection::thread},
    {"topic is closed", objection::thread},
    {"topic_", objection::thread}, // closed, deleted, id_invalid, not_found
    {"not a forum", objection::thread},
    {"message to be replied not found", objection::reply_target},
    {"replied message not found", objection::reply_target},
    {"message to reply not found", objection::reply_target},
    {"reply message not found", objection::reply_target},
    {"can't be replied", objection::reply_target},
    {"reply_message_id_invalid", objection::reply_target},
    {"reply_to_invalid", objection::reply_target},
    {"reply_to_message_id_invalid", objection::reply_target},
    {"message_id_invalid", objection::reply_target},
    {"there is no text in the message to edit", objection::no_text},
};

constexpr base::names<objection, 6> objection_names{{
    {objection::none, "none"},
    {objection::markup, "markup"},
    {objection::length, "length"},
    {objection::thread, "thread"},
    {objection::reply_target, "reply_target"},
    {objection::no_text, "no_text"},
}};

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != text.npos;
}

objection objection_of(std::string description) {
    std::ranges::transform(description, description.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    auto const place = std::ranges::find_if(objections, [&](auto const& candidate) {
        return contains(description, candidate.description);
    });
    return place == std::end(objections) ? objection::none : place->objection;
}

bool contains_any(std::string_view text, std::span<std::string_view const> parts) {
    return std::ranges::any_of(parts, [&](auto part) { return contains(text, part); });
}

known_refusal const* find_refusal(std::string_view description) {
    auto const place = std::ranges::find_if(refusals, [&](auto const& refusal) {
        return contains(description, refusal.description);
    });
    return place == std::end(refusals) ? nullptr : place;
}

std::string_view reason_of(std::string_view description) {
    if (contains_any(description, missing_users)) return agent::messenger_refusal::no_person;
    if (contains_any(description, removals_of_bot)) return agent::messenger_refusal::no_member;
    auto const* refusal = find_refusal(description);
    return refusal ? refusal->reason : std::string_view();
}

errc code_of_bad_request(std::string_view description) {
    if (contains_any(description, missing_users)) return errc::not_found;
    if (find_refusal(description)) return errc::refused;
    if (contains(description, "query is too old")) return errc::stale;
    if (contains(description, "file is too big")) return errc::too_large;
    return errc::invalid;
}

errc code_of(int status, std::string_view description, bool sends) {
    switch (status) {
    case 400:
        return code_of_bad_request(description);
    case 401:
        return errc::unauthorized;
    case 403:
        return errc::refused;
    case 404:
        return errc::not_found;
    case 409:
        return errc::conflict;
    case 413:
        return errc::too_large;
    case 429:
        return errc::rate_limited;
    default:
        break;
    }
    if (status >= 400 && status < 500) return errc::invalid;
    // The front may have given up on a server that did the work.
    return sends ? errc::ambiguous : errc::unavailable;
}

std::optional<std::chrono::milliseconds> retry_after(
    base::json_reader const& parameters, net::http_answer const& answer, base::sys_time now
) {
    if (auto seconds = parameters["retry_after"].int64_or(0); seconds > 0)
        return std::chrono::seconds{std::min<std::int64_t>(seconds, 3600)};
    if (auto delay = net::parse_retry_after(answer.headers.find("Retry-After"), now)) return delay;
    return std::chrono::seconds{1};
}

} // namespace

std::string_view to_string(objection objection) noexcept {
    return base::name_of(objection_names, objection);
}

api_failure failure_of(net::http_answer const& answer, bool sends, base::sys_time now) {
    auto json = base::parse_json(answer.body);
    base::json::value const body = json ? std::move(*json) : base::json::value{};
    base::json_reader root{body};
    auto const description = root["description"].string_or("");
    auto const parameters = root["parameters"];

    api_failure failure;
    failure.cause.code = code_of(answer.status, description, sends);
    failure.cause.detail = "Telegram answered " + std::to_string(answer.status);
    if (!description.empty()) failure.cause.detail += ": " + description.substr(0, 200);
    failure.cause.reason = reason_of(description);
    if (failure.cause.code == errc::rate_limited)
        failure.cause.retry_after = retry_after(parameters, answer, now);
    if (answer.status == 400) {
        failure.objection = objection_of(description);
        if (auto id = parameters["migrate_to_chat_id"].int64_or(0); id != 0)
            failure.migrated_to = chat_id{id};
    }
    return failure;
}

} // namespace postrider::telegram
