#pragma once
// A messenger to nobody, which counts what it is given.
#include "agent/talk/refusing_messenger.hpp"

namespace postrider::tests {

class unread_chat final : public agent::refusing_messenger {
public:
    unread_chat() : refusing_messenger(base::error(base::errc::refused, "not in this test")) {}

    base::awaitable<base::result<telegram_message_id>> send(agent::outgoing) override {
        co_return telegram_message_id{++given};
    }
    base::awaitable<base::result<void>> edit(
        agent::address, telegram_message_id, agent::message_content
    ) override {
        ++given;
        co_return base::result<void>{};
    }
    base::awaitable<base::result<void>> react(agent::address, telegram_message_id, std::string)
        override {
        ++given;
        co_return base::result<void>{};
    }
    base::awaitable<base::result<void>> remove(agent::address, telegram_message_id) override {
        ++given;
        co_return base::result<void>{};
    }
    base::awaitable<void> typing(agent::address) override {
        ++given;
        co_return;
    }

    int given = 0;
};

} // namespace postrider::tests
