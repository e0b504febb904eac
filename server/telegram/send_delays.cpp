#include "server/telegram/send_delays.hpp"

#include <algorithm>

namespace postrider::telegram {

void send_delays::hold(bot_id bot, chat_id chat, base::steady_time until, base::steady_time now) {
    auto& held = bots_[bot];
    forget_passed(held, now);
    auto& known = held[chat];
    known = std::max(known, until);
}

std::optional<std::chrono::milliseconds> send_delays::remaining(
    bot_id bot, chat_id chat, base::steady_time now
) {
    auto const found = bots_.find(bot);
    if (found == bots_.end()) return std::nullopt;
    auto& chats = found->second;
    forget_passed(chats, now);
    base::steady_time until = now;
    if (auto own = chats.find(chat); own != chats.end()) until = own->second;
    if (chats.size() >= whole_bot) {
        auto const soonest = std::ranges::min_element(chats, {}, &chats::value_type::second);
        until = std::max(until, soonest->second);
    }
    if (until <= now) return std::nullopt;
    return std::chrono::ceil<std::chrono::milliseconds>(until - now);
}

void send_delays::forget_passed(chats& held, base::steady_time now) {
    std::erase_if(held, [&](auto const& chat) { return chat.second <= now; });
}

} // namespace postrider::telegram
