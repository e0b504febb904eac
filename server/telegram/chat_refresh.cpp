#include "server/telegram/chat_refresh.hpp"

#include "base/log.hpp"

namespace postrider::telegram {

void chat_refresh::changed() {
    told_ = true;
    wake_.notify();
}

base::awaitable<void> chat_refresh::keep_fresh() {
    while (true) {
        if (!told_) co_await wake_.wait_for(std::chrono::minutes{1});
        told_ = false;
        auto const read = co_await messenger_.restore();
        if (!read) base::log::warn("telegram.chats_not_read", {{"error", read.error()}});
    }
}

} // namespace postrider::telegram
