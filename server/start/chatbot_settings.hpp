#pragma once
// [chatbot]: the group bot. The flow that ships as `claudir` is published with its groups and its debounce, and
// reads the other values as $vars.chatbot.
#include "base/clock.hpp"
#include "base/ids.hpp"
#include "base/settings.hpp"

#include <boost/json/object.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::server {

struct config;

// Entries of the configuration's models, while the group bot is enabled.
inline constexpr std::string_view chatbot_model = "chatbot.model";
inline constexpr std::string_view chatbot_compaction_model = "chatbot.compaction_model";
inline constexpr std::string_view chatbot_spam_model = "chatbot.spam_model";

struct chatbot_config {
    bool is_enabled = false;
    std::string name;
    std::vector<std::string> aliases;
    std::vector<user_id> owners;
    std::vector<chat_id> groups; // none = all that the bots serve
    std::chrono::milliseconds debounce{0};
    std::int64_t compaction_threshold = 0; // tokens
    std::string spam_action = "dry_run";   // of spam.act
    std::optional<chat_id> admin_chat;     // hears of spam
    std::string wake = "always";           // of group.wake, as the next one
    std::int64_t wake_every = 0;           // 0 = none
    std::string persona;                   // "" = the built-in one
};

// For the table of all settings.
std::span<base::setting const> chatbot_rows();

// Fills in chatbot, and where it is enabled its models, and the groups and owners of the bots. Behind the
// bots and the models.
void read_chatbot(base::settings const& values, config& into);

// Ids that can be none of a group or a person, and ids that are listed twice; in words, with the key.
std::vector<std::string> problems_of_ids(chatbot_config const& chatbot);

// Its system prompt: the configured one, or the built-in one with name, owner and group filled in.
std::string persona_of(chatbot_config const& chatbot);

// $vars.chatbot: {"names", "persona", "model", "compaction_model", "spam_model", "compaction_threshold_tokens",
// "spam_action", "admin_chat" (null = none), "wake", "wake_every"}; the models are entries of the configuration.
boost::json::object chatbot_variables(chatbot_config const& chatbot);

// The flow that ships, with the groups, the admin chat as one of them, and the debounce; where the bot is off, with its trigger disabled.
std::string chatbot_flow(chatbot_config const& chatbot);

} // namespace postrider::server
