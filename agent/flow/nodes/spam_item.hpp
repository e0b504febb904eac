#pragma once
// An item of the trigger telegram.group as the spam filter reads it. Pure.
#include "agent/flow/shared_json.hpp"
#include "agent/spam/message.hpp"
#include "agent/talk/address.hpp"
#include "agent/talk/group_event.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"

#include <string_view>

namespace postrider::agent::flow {

struct spam_item {
    address place; // without its topic
    telegram_message_id
        message{}; // 0 = the event is of none; of a reaction the message that it is to
    group_event event = group_event::message;
    sender_kind sender = sender_kind::member;
    user_id user{};             // who wrote or reacted; of a chat's message Telegram's stand-in
    bool is_private = false;    // no group
    bool is_service = false;    // it only tells of the group: somebody joined
    bool is_taken_back = false; // a reaction that is there no more
    spam::message
        content; // of a message, an edit or a reaction; by the author whom the filter knows
};

// Also an item of telegram.message, or one that a person wrote, with `chat`, `user` and `text`. A message without a date, or
// with one that cannot be, was sent now. invalid: the item lacks what a group's message must have.
base::result<spam_item> spam_item_of(shared_json const& item, base::sys_time now);

// Why the item alone says that it is not checked: "it is of a private chat"; "" = it may be.
std::string_view unchecked_reason(spam_item const& item) noexcept;

} // namespace postrider::agent::flow
