#pragma once
// An item of a flow that watches a group, as moderation reads it: who wrote what where. Pure.
#include "agent/spam/store/catches.hpp"
#include "agent/talk/address.hpp"
#include "agent/talk/group_message.hpp"
#include "agent/talk/moderation.hpp"

#include <boost/json/value.hpp>

#include <optional>

namespace postrider::agent {

struct offence {
    address group;
    spam::caught_message caught;   // the verdict included, where the item has one
    telegram_message_id message{}; // to be deleted; 0 = the item is no message
    // False: an anonymous administrator or the linked channel, whom nobody moderates.
    bool may_be_touched = true;
};

// Nothing: it is of no group, or has no author.
std::optional<offence> read_offence(boost::json::value const& item);

// What ends or begins with the author of a catch; a channel is banned as a chat.
moderation ban_of(spam::caught_message const& caught);
moderation unban_of(spam::caught_message const& caught);

} // namespace postrider::agent
