#pragma once
// Drafts in private chats of Telegram, by sendMessageDraft. On the executor's one thread.
//
// A Bot API server that does not know the method is not asked again by this process. Source: Bot API 9.3 and later.
#include "agent/talk/draft_screen.hpp"
#include "server/telegram/bot.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::telegram {

// Everything given must outlive it.
std::unique_ptr<agent::draft_screen> make_drafts(bot_list bots, base::clock& clock);

// By which one process tells the others that somebody stopped a draft: it grows in one of them.
struct stopped_elsewhere {
    agent::address chat;
    std::int64_t number = 0;
};
std::string stop_notice(agent::address const& chat, std::int64_t number);
// Nothing: it is another notice.
std::optional<stopped_elsewhere> read_stop_notice(std::string_view payload);

} // namespace postrider::telegram
