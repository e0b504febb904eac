#pragma once
// Which flow answers a message: the intake asks before it commits, so that the job pins the version
// that was current then.
#include "agent/flow/execution_input.hpp"
#include "server/telegram/bot.hpp"
#include "server/telegram/group_watch.hpp"

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace postrider::telegram {

struct chosen_flow {
    std::string flow;
    std::int64_t version = 0;
    std::string trigger;                               // the node's id
    std::optional<std::chrono::milliseconds> deadline; // of the execution
    std::string lane_key;                              // "" = the chat's own lane
    std::optional<storage::lane_manner> manner;        // instead of the bot's
    bool starts = true;            // false: the message is stored, and no execution begins
    bool asks_for_command = false; // the trigger takes the message for its command
    bool takes_files = false;      // likewise a file without words
};

// Of a message, what its flow is chosen by, as the disposition has read it.
struct said_words {
    std::string_view text;
    std::string_view command; // "" = none that is for this bot
};

class message_flows {
public:
    virtual ~message_flows() = default;
    // Nothing: no flow takes the message. One that is not addressed to the bot is taken by flows
    // that ask for such messages only.
    virtual std::optional<chosen_flow> choose(
        bot_settings const& bot, agent::flow::heard_message const& heard, said_words said
    ) const = 0;
    // Asked before choose(). Nothing: no flow watches the group for that.
    virtual std::optional<chosen_flow> choose_watching(
        bot_settings const& /*bot*/, watched_update const& /*incident*/
    ) const {
        return std::nullopt;
    }
    // What flows watch the bot's groups for, so that Telegram tells of it.
    virtual std::set<agent::group_event> watched_events(bot_settings const& /*bot*/) const {
        return {};
    }
};

} // namespace postrider::telegram
