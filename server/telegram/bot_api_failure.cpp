// failure_of(): the one place that knows how Telegram says no.
#include "base/json.hpp"
#include "server/telegram/bot_api.hpp"

#include <algorithm>
#include <array>

namespace postrider::telegram {

namespace {

using base::errc;

// A 400 that will stay one because the chat or the user does not want us, or is gone.
constexpr std::array<std::string_view, 6> refusals{
    "chat not found",
    "user not found",
    "not enough rights",
    "have no rights",
    "CHAT_WRITE_FORBIDDEN",
    "group chat was deactivated"};

struct known_objection {
    std::string_view description; // a part of it, in lower case
    telegram::objection objection;
};

constexpr known_objection objections[]{
    {"can't parse entities", objection::markup},
    {"message is too long", objection::length},
    {"message_too_long", objection::length},
    {"message to be replied not found", objection::reply_target},
    {"replied message not found", objection::reply_target},
    {"message to reply not found", objection::reply_target},
};

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != text.npos;
}

objection objection_of(std::string description) {
    std::ranges::transform(description, description.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    auto const found = std::ranges::find_if(objections, [&](auto const& known) {
        return contains(description, known.description);
    });
    return found == std::end(objections) ? objection::none : found->objection;
}

errc code_of(int status, std::string_view description, bool sends) {
    switch (status) {
    case 400:
        return std::ranges::any_of(refusals, [&](auto r) { return contains(description, r); })
                   ? errc::refused
                   : errc::invalid;
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
    switch (objection) {
    case objection::markup:
        return "markup";
    case objection::length:
        return "length";
    case objection::reply_target:
        return "reply_target";
    case objection::none:
        break;
    }
    return "none";
}

api_failure failure_of(net::http_answer const& answer, bool sends, base::sys_time now) {
    auto json = base::parse_json(answer.body);
    base::json::value const body = json ? std::move(*json) : base::json::value{};
    base::json_reader root{body};
    auto const description = root["description"].string_or("");
    auto const parameters = root["parameters"];

    api_failure failure;
    failure.why.code = code_of(answer.status, description, sends);
    failure.why.detail = "Telegram answered " + std::to_string(answer.status);
    if (!description.empty()) failure.why.detail += ": " + description.substr(0, 200);
    if (failure.why.code == errc::rate_limited)
        failure.why.retry_after = retry_after(parameters, answer, now);
    if (answer.status == 400) {
        failure.objection = objection_of(description);
        if (auto id = parameters["migrate_to_chat_id"].int64_or(0); id != 0)
            failure.migrated_to = chat_id{id};
    }
    return failure;
}

} // namespace postrider::telegram
