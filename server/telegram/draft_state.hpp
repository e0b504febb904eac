#pragma once
// The drafts of one bot (agent/talk/draft_screen.hpp) as far as they concern its other calls. On the executor's one thread.
//
// Guarantees that a message which waits for settle() reaches Telegram behind every draft of its chat: a draft
// behind it would stand below it for half a minute.
#include "base/async.hpp"
#include "base/ids.hpp"

#include <map>
#include <memory>

namespace postrider::telegram {

class draft_state {
public:
    // In all chats together: less than Telegram takes in messages.
    static constexpr int most_in_a_second = 20;

    // This bot's server does not know the method.
    bool is_refused() const noexcept { return refused_; }
    void refuse() noexcept { refused_ = true; }

    // False: enough are shown in this second.
    bool admit(base::steady_time now);

    // Nothing: one is on its way there.
    std::shared_ptr<void> begin(chat_id chat, base::asio::any_io_executor executor);
    // Until none is on its way there, which is a matter of seconds.
    base::awaitable<void> settle(chat_id chat);

private:
    using landing = std::shared_ptr<base::signal>;

    bool refused_ = false;
    base::steady_time second_ = {};
    int shown_ = 0; // in it
    std::map<chat_id, landing> on_the_way_;
};

} // namespace postrider::telegram
