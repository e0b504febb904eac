#include "agent/talk/refusal_words.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace postrider::agent {

namespace {

using base::errc;

struct worded_refusal {
    std::string_view reason;
    std::string_view sentence;
};

constexpr std::array worded_refusals{
    worded_refusal{
        messenger_refusal::missing_right,
        "the bot lacks a right. Make it an administrator that may delete messages and ban users"},
    worded_refusal{
        messenger_refusal::undeletable,
        "Telegram does not delete this message: it is older than 48 hours, or the bot lacks the "
        "right to delete messages"},
    worded_refusal{
        messenger_refusal::of_administrator, "the author is an administrator of the group"},
    worded_refusal{messenger_refusal::of_owner, "the author is the owner of the group"},
    worded_refusal{messenger_refusal::of_bot, "the bot does not act against itself"},
    worded_refusal{messenger_refusal::no_chat, "Telegram finds no such chat"},
    worded_refusal{messenger_refusal::no_member, "the bot is no member of the chat"},
    worded_refusal{messenger_refusal::no_person, "Telegram finds no such person in the group"}};

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
    auto const worded = std::ranges::find(worded_refusals, failure.reason, &worded_refusal::reason);
    if (worded != worded_refusals.end()) return std::string(worded->sentence);
    std::string const meaning(meaning_of_code(failure.code));
    if (failure.detail.empty()) return meaning;
    return failure == errc::refused ? failure.detail : meaning + ": " + failure.detail;
}

} // namespace postrider::agent
