#include "server/telegram/send_delays.hpp"

#include <algorithm>

namespace postrider::telegram {

void send_delays::hold(bot_id bot, chat_id chat, base::steady_time until, base::steady_time now) {
    auto& held = bots_[bot];
    forget_passed(held, now);
    auto& held_until = held[chat];
    held_until = std::max(held_until, until);
}

std::optional<std::chrono::milliseconds> send_delays::remaining(
    bot_id bot, chat_id chat, base::steady_time now
) {
    auto const entry = bots_.find(bot);
    if (entry == bots_.end()) return std::nullopt;
    auto& chat_delays = entry->second;
    forget_passed(chat_delays, now);
    base::steady_time until = now;
    if (auto own = chat_delays.find(chat); own != chat_delays.end()) until = own->second;
    if (chat_delays.size() >= whole_bot) {
        auto const soonest = std::ranges::min_element(chat_delays, {}, &chats::value_type::second);
        until = std::max(until, soonest->second);
    }
    if (until <= now) return std::nullopt;
    return std::chrono::ceil<std::chrono::milliseconds>(until - now);
}

void send_delays::forget_passed(chats& held, base::steady_time now) {
    std::erase_if(held, [&](auto const& chat) { return chat.second <= now; });
}

} // namespace postrider::telegram
