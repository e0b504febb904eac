#pragma once
// What holds for one bot.
#include "base/ids.hpp"
#include "storage/stores/lanes.hpp"

#include <chrono>
#include <set>
#include <string>

namespace postrider::telegram {

// Empty lists = nobody; allowlist.hpp has the rules.
struct allowlist {
    std::set<user_id> users;
    std::set<chat_id> chats; // groups
    std::set<user_id> owners = {};
    std::set<chat_id> former = {}; // what allowed groups were called before they became supergroups

    bool empty() const noexcept { return users.empty() && chats.empty() && owners.empty(); }
};

struct bot_settings {
    bot_id id{};
    std::string name = "main"; // in the configuration and in the webhook's path
    user_id self{};            // its own Telegram user
    std::string username;      // without '@'
    std::string agent = "assistant";
    storage::lane_manner manner; // of its chats
    telegram::allowlist allowlist;
    std::string timezone = {};              // of people who have set none; "" = the tools' own
    int messages_per_minute = 0;            // of one person, in all bots together; 0 = any number
    std::chrono::seconds longest_speech{0}; // of recordings that are written down; 0 = none is
    bool anonymous_admins = false;          // of allowed groups are heard, without commands
    bool reactions = false;                 // of people to messages are kept
    bool drafts = true;                     // of answers in private chats, while they are written
    std::set<user_id> business = {};        // whose business accounts are served
};

} // namespace postrider::telegram
