#pragma once
// Chats of business accounts: a person connects the bot with their account, and it answers their customers in
// their name. The setting says whose accounts are served, and those people must be allowed to use the bot
// themselves. A customer is no user of the bot: no allowlist names them, and their words are no commands.
// Pure but for the look and what it needs, which are units of their own.
//
// Its rules for what is ignored: business:off (nobody is served), business:connection (it is unknown),
// business:account (it is not served), business:no_right (the bot may not answer there).
#include "server/telegram/disposition.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace postrider::telegram {

bool serves_business(bot_settings const& bot, user_id account);

storage::business_connection connection_of(bot_id bot, business_change const& change);

// Of an update of a business account's chat (update::business). The chat: as it was found, if it was.
disposition decide_in_business(
    update u, bot_settings const& bot, std::optional<storage::business_chat> const& chat
);

// Finds the chat of such an update, whose number is committed.
class business_look final : public storage::unit {
public:
    business_look(bot_id bot, update const& u);

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override;

    // After the commit.
    std::optional<storage::business_chat> const& chat() const noexcept { return chat_; }

private:
    bot_id bot_;
    std::string connection_;
    user_id customer_{};
    std::optional<storage::business_chat> chat_;
};

// Stores a connection that Telegram was asked about.
class kept_connection final : public storage::unit {
public:
    explicit kept_connection(storage::business_connection connection)
        : connection_(std::move(connection)) {}

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const&) override {
        if (number > 0) return {};
        return {storage::keep_business_connection(connection_)};
    }

private:
    storage::business_connection connection_;
};

} // namespace postrider::telegram
