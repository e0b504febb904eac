#pragma once
// A messenger to nobody, which counts what it is given.
#include "agent/messenger.hpp"

#include <vector>

namespace postrider::tests {

class unread_chat final : public agent::messenger {
public:
    base::awaitable<base::result<telegram_message_id>> send(agent::outgoing) override {
        co_return telegram_message_id{++given};
    }
    base::awaitable<base::result<void>> edit(agent::address, telegram_message_id, std::string)
        override {
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
    std::optional<bot_id> find_bot(std::string_view) const override { return std::nullopt; }
    std::vector<std::string> split(std::string_view text) const override {
        return {std::string(text)};
    }

    int given = 0;
};

} // namespace postrider::tests
