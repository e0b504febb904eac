#pragma once
// The port through which agents speak to people. server/telegram implements it; agents know no wire
// format.
#include "base/async.hpp"
#include "base/ids.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

struct address {
    bot_id bot{};
    chat_id chat{};
    thread_id thread{}; // forum topic, 0 = none
};

struct outgoing {
    address to;
    std::string text;               // plain text, at most one part (see split)
    telegram_message_id reply_to{}; // 0 = none
};

class messenger {
public:
    virtual ~messenger() = default;

    // Sends one message and returns its id in the chat, 0 where that was not told. Errors:
    // rate_limited (retry_after: a delay for that chat), unauthorized (the bot is stopped), refused (the chat does not want us),
    // invalid, unavailable or timeout (certainly not sent), ambiguous (may have been sent).
    virtual base::awaitable<base::result<telegram_message_id>> send(outgoing message) = 0;

    // Gives a message of the bot another text; one that it has already is a success. Errors as
    // send()'s, without ambiguous: doing it twice equals once.
    virtual base::awaitable<base::result<void>> edit(
        address to, telegram_message_id message, std::string text
    ) = 0;
    // Puts a reaction on a message; "" takes it away. Errors likewise.
    virtual base::awaitable<base::result<void>> react(
        address to, telegram_message_id message, std::string emoji
    ) = 0;
    // Takes a message away; one that is gone already is a success. Errors likewise.
    virtual base::awaitable<base::result<void>> remove(address to, telegram_message_id message) = 0;
    // The bot of that name in this node's configuration.
    virtual std::optional<bot_id> find_bot(std::string_view name) const = 0;
    // False: this node's configuration lacks the bot; another node's may have it.
    virtual bool has_bot(bot_id /*bot*/) const { return true; }

    // What a send to there counts against (queue/node/limits.hpp); "" = nothing.
    virtual std::string resource(address const& /*to*/) const { return {}; }

    // "typing…" for about five seconds. Never fails visibly.
    virtual base::awaitable<void> typing(address to) = 0;

    // The text in parts that send() accepts, cut on good boundaries; at least one part, none empty.
    virtual std::vector<std::string> split(std::string_view text) const = 0;
};

} // namespace postrider::agent
