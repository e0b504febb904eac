#pragma once
// What becomes of an update: exactly one of job, event, ignored (by a named rule). An update that
// cannot be read at all is rejected before it comes here. Pure.
//
// In a group an agent is addressed by a reply to the bot, its @name, or a command that is not
// addressed to another bot. What is said to others goes to the flows that ask for it.
#include "agent/flow/execution_input.hpp"
#include "agent/moderation/catch_notice.hpp"
#include "agent/talk/member_change.hpp"
#include "agent/talk/message_edit.hpp"
#include "agent/talk/press.hpp"
#include "server/telegram/allowlist.hpp"
#include "server/telegram/update.hpp"
#include "storage/stores/business.hpp"
#include "storage/stores/lanes.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace postrider::telegram {

// Members of the groups that it serves: their changes are asked for.
inline bool asks_for_members(bot_settings const& bot) {
    return !bot.allowlist.chats.empty();
}

// Of a message, what is stored with its text.
struct circumstances {
    std::string sender; // as shown
    std::optional<telegram_message_id> reply_to;
    std::optional<std::chrono::sys_seconds> sent_at; // by Telegram's clock
    std::optional<chat_id> sender_chat = {};         // in whose name the sender wrote
    storage::message_author author = {};
};

// For an agent, if a flow takes it.
struct to_job {
    agent::flow::heard_message heard;
    std::string agent = "assistant";
    std::string text;
    std::string lane_key;
    storage::lane_manner manner = {};
    telegram::circumstances circumstances = {};
    std::string command = {}; // that its text begins with: "/new"; "" = none, or another bot's
    std::string album = {};   // that it is a part of: all of it is one turn
    bool only_joins = false; // nothing reads it: it may belong to its album's turn, and starts none
    bool is_said_for_us =
        false; // by the owner of a business account, to a customer: it is stored, and starts nothing
};

// The text of a message was replaced. It is found by its number, and no flow is chosen by the new text.
struct to_edit {
    agent::message_edit edit;
    std::string lane_key; // of its chat
};

// An allowed user pressed a button.
struct to_press {
    std::string query; // to be answered
    agent::address at;
    agent::press press;
    std::string question; // "" = the button is of no question
    bool closes = true;
    bool is_owner = false;
    std::string shown = {};          // what the button stands below
    std::string usual_language = {}; // of heard_message
};

// Somebody pressed a button below what an admin chat was told of spam in an allowed group. Whether they may decide is asked
// by the job.
struct to_catch_press {
    agent::catch_press choice;
    agent::press press;
    agent::address at;
    bool is_owner = false;
};

// Somebody's standing in an allowed chat changed: an event for a job of the chat that waits for it.
struct to_member_event {
    agent::member_change change;
};

// Messages of an allowed chat are gone: they are marked so.
struct to_removal {
    agent::address at = {};
    std::vector<telegram_message_id> messages = {};
};

// A person reacted to a message of an allowed chat: it is kept with the message.
struct to_reaction {
    agent::address at = {};
    telegram_message_id message{};
    user_id user{};
    std::vector<std::string> reactions = {};
};

// A person stopped the answer that grows in their private chat: nobody else sees it.
struct to_stop {
    agent::address at = {};
    std::int64_t draft = 0;
};

// A served business account is connected, or is not any more.
struct to_connection {
    storage::business_connection connection;
};

// Who was refused, for the owner to see.
struct refused_sender {
    user_id user{};
    chat_id chat{};
    std::string name;
};

// An allowed group became a supergroup.
struct moved_chat {
    chat_id from{};
    chat_id to{};
};

inline constexpr std::string_view no_text_rule = "no_text";
inline constexpr std::string_view not_addressed_rule = "not_addressed";

// What is stored of an image to which nothing was written.
inline constexpr std::string_view image_without_words = "(image)";

struct to_nothing {
    // allowlist, own, from_bot, service_message, no_text, not_addressed, kind:<member>; those of business.hpp;
    // of the intake: no_flow, and not_addressed where no flow asks for it
    std::string rule;
    std::optional<refused_sender> stranger; // rule allowlist, where there is a user to name
    std::optional<moved_chat> moved;        // rule service_message
};

using disposition = std::variant<
    to_job,
    to_edit,
    to_press,
    to_catch_press,
    to_member_event,
    to_removal,
    to_reaction,
    to_stop,
    to_connection,
    to_nothing>;

// Of an update of a business account's chat: what business.hpp made of it.
disposition decide(update const& u, bot_settings const& bot);

// What a message is to an agent, whoever may write it. Without its command: that takes the right to one.
to_job job_of(message const& m, bot_settings const& bot);
to_edit edit_of(message const& m, update_id update, bot_settings const& bot);
to_member_event event_of(member_change const& change, bot_settings const& bot);

} // namespace postrider::telegram
