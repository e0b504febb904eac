#pragma once
// A messenger of one bot against a simulated Telegram where one person has written.
#include "server/telegram/messenger.hpp"
#include "tests/support/fake_telegram.hpp"
#include "tests/support/loop.hpp"
#include "tests/unit/server/telegram/recording_database.hpp"

namespace postrider::telegram {

inline constexpr user_id alex{10};
inline constexpr chat_id alexs_chat{10};
inline constexpr chat_id group{-500};
inline constexpr chat_id supergroup{-100500};
inline constexpr bot_id our_bot{1};

struct messenger_desk {
    tests::fake_telegram telegram;
    tests::loop loop;
    base::manual_clock clock;
    recording_database db;
    std::unique_ptr<net::http_client> http = net::make_http_client(loop.executor());
    bot fern;
    chat_moves moves{{&fern}};
    std::unique_ptr<telegram_messenger> messenger;

    bool runs_elsewhere = false; // as far as other processes know
    agent::text_markup markup;

    explicit messenger_desk(agent::text_markup as = agent::text_markup::none) : markup(as) {
        bot_api_options options{telegram.api_base(), base::secret(telegram.token())};
        fern.settings.id = our_bot;
        fern.settings.allowlist.chats = {group};
        fern.api = make_bot_api(*http, clock, std::move(options)).value();
        breaker_options breaker{std::chrono::milliseconds{20}, std::chrono::milliseconds{40}};
        breaker.runs_elsewhere = [this] { return runs_elsewhere; };
        fern.breaker = std::make_unique<bot_breaker>(
            loop.executor(), our_bot, *fern.api, db, std::move(breaker)
        );
        messenger = make_messenger({&fern}, moves, clock, db);
        telegram.say({.from = alex, .text = "hi"});
        telegram.say({.from = alex, .group = group, .text = "hi"});
        telegram.say({.from = alex, .group = supergroup, .text = "hi"});
    }
    ~messenger_desk() { loop.run(fern.breaker->close()); }

    base::result<telegram_message_id> send(chat_id to, telegram_message_id reply_to = {}) {
        agent::message_content content{"<b>hello", markup};
        return loop.run(messenger->send({{our_bot, to}, std::move(content), reply_to}));
    }
    std::size_t requests() { return telegram.calls("sendMessage").size(); }
};

} // namespace postrider::telegram
