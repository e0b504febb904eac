#pragma once
// The groups that the bots of this process serve, and what Telegram says of them. Each question is a call of Telegram with a
// deadline. On the executor's thread.
#include "agent/talk/messenger.hpp"
#include "base/async.hpp"
#include "server/telegram/bot_api.hpp"
#include "storage/stores/group_activity.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <vector>

namespace postrider::server {

struct group_state {
    std::string bot_name;
    storage::served_group place;
    std::string title = {};  // as Telegram told it last; "" = it has not yet
    bool is_watched = false; // flows ask for all that happens there
    std::optional<telegram::bot_identity> identity =
        {};                                      // nothing: Telegram has not told it, as the next
    std::optional<agent::chat_member> own = {};  // the bot as a member of the group
    std::optional<base::error> own_failure = {}; // of the question for it
};

// What keeps the bot from its work in the group, with the steps that end it: for people. Only of groups that flows watch.
// Pure.
std::vector<std::string> problems_of(group_state const& group);

// {"bot", "chat", "title", "watched", "privacy_mode", "rights", "problems", "last_message_at", "judged", "spam"}. Pure.
boost::json::object group_json(group_state const& group, storage::group_activity const& activity);

struct serving_bot {
    bot_id id{};
    std::string timezone = {}; // of its people; "" = none is set
};

class group_desk {
public:
    virtual ~group_desk() = default;

    // The bot that serves the group; none: no bot of this process does.
    virtual std::optional<serving_bot> bot_of(chat_id group) const = 0;
    // As Telegram tells it now, of the first groups of each bot; of the others what the configuration says.
    virtual base::awaitable<std::vector<group_state>> look() = 0;
    // As it told it last; asks nobody.
    virtual std::vector<group_state> last_seen() const = 0;
    // Looks at the groups that flows watch, again and again, for last_seen().
    virtual base::awaitable<void> keep_looking() = 0;
};

} // namespace postrider::server
