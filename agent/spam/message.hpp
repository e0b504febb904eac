#pragma once
// A message of a group as the spam filter sees it. Intake fills it; the filter knows no messenger. A value.
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::spam {

enum class media : std::uint8_t {
    photo,
    video, // animations and round videos as well
    audio, // voice as well
    document,
    sticker,
    contact,
    location,
    poll,
    other,
};

struct author {
    std::int64_t id = 0; // of the chat where a channel or an anonymous admin writes
    std::string first_name;
    std::string last_name;
    std::string username; // without @
};

struct message {
    std::string text; // or the caption of its media
    spam::author author;
    std::vector<media> attached;
    std::vector<std::string>
        links; // addresses of entities and of buttons, also those behind a text
    std::vector<std::string>
        mentions;      // usernames without @, and "id:NUMBER" for people without one
    std::string quote; // what it cites of another message
    std::string album; // that it is a part of; "" = none
    std::chrono::sys_seconds sent_at{};
    bool is_edit = false;
    bool is_reaction = false; // to a message of somebody else: it has an author and a time alone
    bool is_forward = false;
    bool is_external_reply = false; // answers a message of another chat
    bool has_keyboard = false;
    bool is_via_bot = false;
    bool is_giveaway = false;
};

// Of a text alone: its links and mentions are those that Telegram would make entities of.
message message_of(std::string_view text);

} // namespace postrider::agent::spam
