#pragma once
// Connections with business accounts that no update has reported, such as those from before the setting was on.
// On the executor's one thread.
#include "server/telegram/bot.hpp"
#include "storage/stores/business.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace postrider::telegram {

class business_accounts {
public:
    virtual ~business_accounts() = default;

    // The connection as Telegram has it now, if it is of an account that the bot serves. unavailable: Telegram does
    // not answer in a moment, and the same may be asked again.
    virtual base::awaitable<base::result<std::optional<storage::business_connection>>> find(
        bot_settings const& bot, std::string connection
    ) = 0;
};

// Asks Telegram (getBusinessConnection). A connection that is unknown there, or of an account that is not served, is
// asked about once an hour.
class asked_business_accounts final : public business_accounts {
public:
    // An update's answer waits for it, and is due in five seconds.
    static constexpr base::duration patience = std::chrono::seconds{2};
    static constexpr base::duration between_questions = std::chrono::hours{1};
    static constexpr std::size_t most_refused =
        1'000; // none is asked about while so many are remembered

    asked_business_accounts(bot_list bots, base::clock& clock)
        : bots_(std::move(bots)),
          clock_(clock) {}

    base::awaitable<base::result<std::optional<storage::business_connection>>> find(
        bot_settings const& bot, std::string connection
    ) override;

private:
    bot_list bots_;
    base::clock& clock_;
    std::map<std::pair<bot_id, std::string>, base::steady_time> refused_; // until then
};

} // namespace postrider::telegram
