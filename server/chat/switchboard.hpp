#pragma once
// One messenger for all that agents speak through: by the address it is Telegram's, or that of
// conversations over the chat API. Nothing else asks which of them it is.
#include "agent/talk/messenger.hpp"

namespace postrider::chat {

class switchboard final : public agent::messenger {
public:
    // Both outlive it.
    switchboard(agent::messenger& chats, agent::messenger& conversations)
        : chats_(chats),
          conversations_(conversations) {}

    base::awaitable<base::result<telegram_message_id>> send(agent::outgoing message) override {
        auto& out = of(message.to);
        return out.send(std::move(message));
    }
    base::awaitable<base::result<void>> edit(
        agent::address chat, telegram_message_id message, agent::message_content content
    ) override {
        return of(chat).edit(chat, message, std::move(content));
    }
    base::awaitable<base::result<void>> react(
        agent::address chat, telegram_message_id message, std::string emoji
    ) override {
        return of(chat).react(chat, message, std::move(emoji));
    }
    base::awaitable<base::result<void>> remove(agent::address chat, telegram_message_id message)
        override {
        return of(chat).remove(chat, message);
    }
    base::awaitable<base::result<void>> answer_press(
        agent::address chat, std::string press, std::string note, bool alert
    ) override {
        return of(chat).answer_press(chat, std::move(press), std::move(note), alert);
    }
    base::awaitable<base::result<agent::chat_member>> get_member(agent::address chat, user_id user)
        override {
        return of(chat).get_member(chat, user);
    }
    base::awaitable<base::result<std::vector<agent::chat_member>>> get_administrators(
        agent::address chat
    ) override {
        return of(chat).get_administrators(chat);
    }
    void forget_administrators(agent::address const& chat) override {
        of(chat).forget_administrators(chat);
    }
    base::awaitable<std::string> get_title(agent::address chat) override {
        return of(chat).get_title(chat);
    }
    base::awaitable<base::result<void>> moderate(agent::address chat, agent::moderation act)
        override {
        return of(chat).moderate(chat, std::move(act));
    }
    base::awaitable<base::result<std::string>> load_file(
        agent::address chat, std::string file, std::size_t most
    ) override {
        return of(chat).load_file(chat, std::move(file), most);
    }
    // Only chats have bots.
    std::optional<bot_id> find_bot(std::string_view name) const override {
        return chats_.find_bot(name);
    }
    bool serves(agent::address const& to) const override { return of(to).serves(to); }
    agent::address current(agent::address const& to) const override { return of(to).current(to); }
    std::string resource(agent::address const& to) const override { return of(to).resource(to); }
    base::awaitable<void> typing(agent::address to) override { return of(to).typing(to); }
    std::vector<agent::message_content> split(
        agent::address const& chat, agent::message_content content
    ) const override {
        return of(chat).split(chat, std::move(content));
    }

private:
    agent::messenger& of(agent::address const& chat) const {
        return chat.is_conversation() ? conversations_ : chats_;
    }

    agent::messenger& chats_;
    agent::messenger& conversations_;
};

} // namespace postrider::chat
