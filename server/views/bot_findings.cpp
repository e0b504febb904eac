#include "server/views/bot_findings.hpp"

#include "agent/talk/refusal_words.hpp"

#include <fmt/format.h>

namespace postrider::server {

namespace {

using base::errc;

constexpr base::duration error_is_news = std::chrono::minutes{10};
constexpr std::int64_t many_pending = 100;

bool is_news(telegram::webhook_info const& info, base::sys_time now) {
    if (info.last_error.empty()) return false;
    return !info.last_error_at || now - *info.last_error_at < error_is_news;
}

std::string advice_to_set(std::string const& bot) {
    return "postrider bot webhook set --bot " + in_shell(bot);
}

std::string pending_text(telegram::webhook_info const& info) {
    return info.pending == 1 ? "1 update waits there"
                             : fmt::format("{} updates wait there", info.pending);
}

finding other_webhook(
    std::string subject,
    std::string const& bot,
    telegram::webhook_info const& info,
    std::string const& expected_url
) {
    if (expected_url.empty())
        return {
            std::move(subject),
            verdict::warn,
            "set to " + info.url +
                ", and updates are to be polled: `serve` removes it, and another server that uses "
                "it gets nothing then"};
    return {
        std::move(subject),
        verdict::warn,
        (info.url.empty() ? "not set" : "set to " + info.url + " instead of " + expected_url) +
            "; `serve` sets it at start",
        advice_to_set(bot)};
}

// Telegram quotes the status that it got; its texts are only a hint.
finding failing_webhook(
    std::string subject, std::string const& bot, telegram::webhook_info const& info
) {
    auto const error = "Telegram's last error: " + info.last_error + "; " + pending_text(info);
    auto const quotes = [&](std::string_view status) {
        return info.last_error.find(status) != info.last_error.npos;
    };
    if (quotes("401") || quotes("403"))
        return {
            std::move(subject),
            verdict::warn,
            error + ". The secret that Telegram sends is not the server's: set the webhook again",
            advice_to_set(bot)};
    if (quotes("404"))
        return {
            std::move(subject),
            verdict::warn,
            error +
                ". Nobody answers at this address: does the proxy pass /telegram/ to the server?"};
    return {
        std::move(subject),
        verdict::warn,
        error + ". Is the proxy up, does its certificate hold, does it pass /telegram/?"};
}

} // namespace

finding token_finding(
    std::string subject, telegram::api_result<telegram::bot_identity> const& identity
) {
    if (identity)
        return {
            std::move(subject),
            verdict::ok,
            fmt::format("@{}, id {}", identity->username, base::raw(identity->id))};
    auto const& reason = identity.error().cause;
    finding failure{std::move(subject), verdict::fail, agent::refusal_in_words(reason)};
    if (reason == errc::unauthorized || reason == errc::not_found)
        failure.detail = "Telegram does not know this token: get the right one from @BotFather";
    else if (reason == errc::unavailable || reason == errc::timeout)
        failure.detail += "; is the way to Telegram open? TELEGRAM_API_BASE names another server";
    return failure;
}

finding webhook_finding(
    std::string const& bot,
    telegram::webhook_info const& info,
    std::string const& expected_url,
    base::sys_time now
) {
    auto subject = "webhook " + bot;
    if (info.url != expected_url) return other_webhook(std::move(subject), bot, info, expected_url);
    if (is_news(info, now) && !expected_url.empty())
        return failing_webhook(std::move(subject), bot, info);
    if (info.pending > many_pending)
        return {
            std::move(subject),
            verdict::warn,
            pending_text(info) + "; does a server run, and does it keep up?",
            "postrider doctor"};
    return {
        std::move(subject),
        verdict::ok,
        (expected_url.empty() ? "none: updates are polled; " : expected_url + "; ") +
            pending_text(info)};
}

} // namespace postrider::server
