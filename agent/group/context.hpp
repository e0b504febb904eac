#pragma once
// A group's conversation as its agent reads it: a summary of what is older, then the messages.
//
//     === Conversation Summary ===
//     They compare ferns.
//
//     === Recent Messages ===
//     <msg id="4525" chat="-12345" user="182736" name="Bob" time="10:35"><reply id="4520" from="Alice">what about
//     rust?</reply>yeah I agree</msg>
//
// The attributes come from Telegram, and nothing that people write can look like one: it is escaped. The
// text is the same for the same messages, and grows at its end, so that providers can cache it. Pure.
#include "base/clock.hpp"
#include "base/ids.hpp"
#include "base/time_zone.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::group {

// Characters as people count them (graphemes); what is longer ends in "…".
inline constexpr std::size_t longest_quote = 200;

struct quoted_message {
    telegram_message_id id{};
    std::string name; // of its author
    std::string text;
};

struct context_message {
    enum class kind {
        said,
        // A new wording of a message that stands before it, and that a provider may have cached.
        edited,
    };

    context_message::kind kind = kind::said;
    telegram_message_id id{};
    user_id user{};
    std::string name = {}; // the username; of people without one, their name
    base::sys_time time = {};
    std::string text = {};
    std::string media = {}; // photo, voice, …; "" = none
    std::optional<quoted_message> reply = {};
};

struct context {
    chat_id chat{};
    std::string summary = {}; // "" = nothing was summarised yet
    std::vector<context_message> messages = {};
};

// Of the text in pieces: so many messages in one.
inline constexpr std::size_t messages_of_a_piece = 16;

// Times as HH:MM in the zone. A summary is what a model made of the messages: it is escaped like these, and
// stands in one line.
std::string text_of(context const& conversation, base::time_zone const& zone);
// The same in pieces, which lines end between. All but the last stay as they are while the context grows, so
// that caches of providers, which keep whole pieces, have something to keep.
std::vector<std::string> pieces_of(context const& conversation, base::time_zone const& zone);
std::string line_of(context_message const& message, chat_id chat, base::time_zone const& zone);

} // namespace postrider::agent::group
