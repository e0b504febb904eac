#include "server/start/announcement.hpp"

#include "agent/models/provider.hpp"

#include <fmt/format.h>

namespace postrider::server {

namespace {

std::string url_of(std::string const& address) {
    return address.starts_with("unix:") ? address : "http://" + address;
}

std::string curl_of(std::string const& address) {
    if (address.starts_with("unix:"))
        return fmt::format("curl --unix-socket {} http://localhost/readyz", address.substr(5));
    return fmt::format("curl {}/readyz", url_of(address));
}

// In the order in which a newcomer gets to see the most.
constexpr std::string_view demo_tries = R"(type:  add buy milk · what's on my list? · delete task 1
         what is 12*7? · what time is it in Tokyo?
  kill me (Ctrl-C twice, or kill -9) and start me again: tasks, chat and an open question are kept)";

// " for main, sales"; one bot needs no name.
std::string names_of(announcement const& announcement) {
    if (announcement.bots.size() < 2) return {};
    std::string names;
    for (auto const& bot : announcement.bots) names += (names.empty() ? " for " : ", ") + bot.name;
    return names;
}

std::string webhooks_of(announcement const& announcement) {
    std::string text;
    for (auto const& bot : announcement.bots)
        text += (text.empty() ? "webhook at " : "\n            and ") + bot.webhook_url;
    return text;
}

std::string telegram_line(announcement const& announcement) {
    switch (announcement.mode) {
    case mode::demo:
        return "simulated chat in this terminal; TELEGRAM_BOT_TOKEN makes it real";
    case mode::polling:
        return "long polling" + names_of(announcement) +
               "; POSTRIDER_PUBLIC_URL makes it a webhook";
    case mode::webhook:
        return webhooks_of(announcement);
    }
    return {};
}

std::string first_try(announcement const& announcement) {
    if (announcement.mode == mode::demo) return std::string(demo_tries);
    for (auto const& bot : announcement.bots) {
        if (bot.anybody_allowed) continue;
        if (bot.name == "main")
            return "put your user id into POSTRIDER_ALLOWED_USERS: no one may write to the bot yet";
        return "put your user id into bots." + bot.name +
               ".allowed_users: no one may write to that bot yet";
    }
    return "write to the bot in Telegram";
}

} // namespace

std::string to_text(announcement const& announcement) {
    std::string text;
    auto say = [&](std::string_view name, std::string const& value) {
        text += fmt::format("  {:<10}{}\n", name, value);
    };
    if (!announcement.console_link.empty())
        say("console",
            announcement.console_link + "\n            (for one login within 15 minutes)");
    text += fmt::format("postrider {} at {}\n", announcement.version, url_of(announcement.address));
    say("telegram", telegram_line(announcement));
    say("model",
        announcement.rules
            ? fmt::format(
                  "{} (built in; {} makes it real)", announcement.model, agent::key_variables()
              )
            : announcement.model);
    say("database",
        announcement.private_cluster.empty()
            ? "DATABASE_URL"
            : "private cluster in " + announcement.private_cluster.string());
    if (!announcement.new_admin_token.empty())
        say("admin",
            fmt::format(
                "token {} (shown once, kept in {})",
                announcement.new_admin_token,
                announcement.admin_token_file.string()
            ));
    else if (!announcement.admin_token_file.empty())
        say("admin", "token in " + announcement.admin_token_file.string());
    text += "Try:\n";
    text += fmt::format(
        "  {}\n  {}\n  postrider jobs list, then postrider jobs show N: the steps behind an "
        "answer\n",
        first_try(announcement),
        curl_of(announcement.address)
    );
    text += "Ctrl-C drains and stops.\n";
    return text;
}

} // namespace postrider::server
