#pragma once
// Tells a messenger what Telegram has told other processes of chats: a group that became a supergroup
// is allowed, and written to, under its new id everywhere. On the executor's one thread.
#include "base/async.hpp"
#include "server/telegram/messenger.hpp"

namespace postrider::telegram {

class chat_refresh {
public:
    // The messenger outlives it.
    chat_refresh(boost::asio::any_io_executor executor, telegram_messenger& messenger)
        : messenger_(messenger),
          wake_(std::move(executor)) {}

    // Another process was told something: read it now.
    void changed();
    // Reads when told to, and once a minute. Never returns.
    base::awaitable<void> keep_fresh();

private:
    telegram_messenger& messenger_;
    base::signal wake_;
    bool told_ = false;
};

} // namespace postrider::telegram
