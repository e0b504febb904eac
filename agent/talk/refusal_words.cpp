#include "agent/talk/refusal_words.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace postrider::agent {

namespace {

using base::errc;

struct worded_refusal {
    std::string_view part; // of Telegram's description
    std::string_view sentence;
};

constexpr std::string_view missing_right =
    "the bot lacks a right. Make it an administrator that may delete messages and ban users";

constexpr std::array worded_refusals{
    worded_refusal{"not enough rights", missing_right},
    worded_refusal{"have no rights", missing_right},
    worded_refusal{"CHAT_ADMIN_REQUIRED", missing_right},
    worded_refusal{
        "message can't be deleted",
        "Telegram does not delete this message: it is older than 48 hours, or the bot lacks the "
        "right to delete messages"},
    worded_refusal{"is an administrator", "the author is an administrator of the group"},
    worded_refusal{"can't remove chat owner", "the author is the owner of the group"},
    worded_refusal{"can't restrict self", "the bot does not act against itself"},
    worded_refusal{"chat not found", "Telegram finds no such chat"},
    worded_refusal{"kicked from the", "the bot was removed from the chat"},
    worded_refusal{"not a member of the", "the bot is no member of the chat"},
    worded_refusal{"user not found", "Telegram finds no such person in the group"},
    worded_refusal{"member not found", "Telegram finds no such person in the group"},
    worded_refusal{"PARTICIPANT_ID_INVALID", "Telegram finds no such person in the group"}};

std::string_view meaning_of_code(errc code) {
    switch (code) {
    case errc::rate_limited:
        return "Telegram asked for a pause";
    case errc::overloaded:
    case errc::timeout:
    case errc::unavailable:
        return "Telegram did not answer";
    case errc::unauthorized:
        return "Telegram does not accept the bot's token";
    case errc::not_found:
        return "Telegram did not find it";
    case errc::invalid:
        return "Telegram did not accept the request";
    case errc::refused:
        return "Telegram refused it";
    default:
        return "it failed";
    }
}

} // namespace

std::string refusal_in_words(base::error const& failure) {
    auto const worded = std::ranges::find_if(worded_refusals, [&](auto const& refusal) {
        return failure.detail.find(refusal.part) != failure.detail.npos;
    });
    if (worded != worded_refusals.end()) return std::string(worded->sentence);
    std::string const meaning(meaning_of_code(failure.code));
    if (failure.detail.empty()) return meaning;
    return failure == errc::refused ? failure.detail : meaning + ": " + failure.detail;
}

} // namespace postrider::agent
