#pragma once
// A messenger that does nothing and says why: all of it where nothing may be sent, the rest of it
// for a messenger that knows a part of the port.
#include "agent/talk/messenger.hpp"

namespace postrider::agent {

class refusing_messenger : public messenger {
public:
    explicit refusing_messenger(base::error failure) : failure_(std::move(failure)) {}

    base::awaitable<base::result<telegram_message_id>> send(outgoing /*message*/) override {
        co_return failure_;
    }
    base::awaitable<base::result<void>> edit(
        address /*to*/, telegram_message_id /*message*/, message_content /*content*/
    ) override {
        co_return failure_;
    }
    base::awaitable<base::result<void>> react(
        address /*to*/, telegram_message_id /*message*/, std::string /*emoji*/
    ) override {
        co_return failure_;
    }
    base::awaitable<base::result<void>> remove(address /*to*/, telegram_message_id /*message*/)
        override {
        co_return failure_;
    }
    base::awaitable<base::result<void>> answer_press(
        address /*to*/, std::string /*press*/, std::string /*note*/, bool /*alert*/
    ) override {
        co_return failure_;
    }
    base::awaitable<base::result<chat_member>> get_member(address /*to*/, user_id /*user*/)
        override {
        co_return failure_;
    }
    base::awaitable<base::result<std::vector<chat_member>>> get_administrators(address /*to*/
    ) override {
        co_return failure_;
    }
    base::awaitable<base::result<void>> moderate(address /*to*/, moderation /*act*/) override {
        co_return failure_;
    }
    base::awaitable<base::result<std::string>> load_file(
        address /*from*/, std::string /*file*/, std::size_t /*most*/
    ) override {
        co_return failure_;
    }
    std::optional<bot_id> find_bot(std::string_view /*name*/) const override {
        return std::nullopt;
    }
    base::awaitable<void> typing(address /*to*/) override { co_return; }
    std::vector<message_content> split(address const& /*to*/, message_content content)
        const override {
        std::vector<message_content> parts;
        parts.push_back(std::move(content));
        return parts;
    }

private:
    base::error failure_;
};

} // namespace postrider::agent
