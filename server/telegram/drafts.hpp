#pragma once
// Drafts in private chats of Telegram, by sendMessageDraft. On the executor's one thread.
//
// A Bot API server that does not know the method is not asked again by this process. Source: Bot API 9.3 and later.
#include "agent/talk/draft_screen.hpp"
#include "server/telegram/bot.hpp"

#include <memory>

namespace postrider::telegram {

// Everything given must outlive it.
std::unique_ptr<agent::draft_screen> make_drafts(bot_list bots, base::clock& clock);

} // namespace postrider::telegram
