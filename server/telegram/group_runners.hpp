#pragma once
// Who runs a group: its administrators, and the channel that is linked with it, by its number. Its owners write in the
// group in its name, which is no automatic forward of its posts. With them comes the group's title. Only reads.
#include "server/telegram/bot_api.hpp"

#include <string>
#include <vector>

namespace postrider::telegram {

struct group_runners {
    std::vector<agent::chat_member> members;
    std::string title = {}; // "" = not told
};

// Failures of either question that may end; where Telegram tells nothing of the chat, no channel is linked with it.
base::awaitable<api_result<group_runners>> get_group_runners(bot_api& api, chat_id group);

} // namespace postrider::telegram
