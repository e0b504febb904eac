#pragma once
// Which chats Telegram told us not to write to for a while (429). When many chats of a bot are told
// so at the same time it is the bot that is too fast: then all its chats wait for the first of
// them. Pure.
#include "base/clock.hpp"
#include "base/ids.hpp"

#include <map>
#include <optional>

namespace postrider::telegram {

class send_delays {
public:
    // Telegram does not say which limit was met; this many delayed chats at once are the bot's.
    static constexpr std::size_t whole_bot = 5;

    // Never shortens a delay.
    void hold(bot_id bot, chat_id chat, base::steady_time until, base::steady_time now);

    std::optional<std::chrono::milliseconds> remaining(
        bot_id bot, chat_id chat, base::steady_time now
    );

private:
    using chats = std::map<chat_id, base::steady_time>;

    static void forget_passed(chats& held, base::steady_time now);

    std::map<bot_id, chats> bots_;
};

} // namespace postrider::telegram
