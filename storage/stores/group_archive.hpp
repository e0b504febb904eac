#pragma once
// What was said in a chat, as it stands in the history: the archive that tools read, and the marks of what
// was deleted there.
#include "base/clock.hpp"
#include "base/ids.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

// Marks messages of a chat as deleted, those of people and ours, in whatever lane they stand: any that people said in
// a watched group, else those among the newest 500 of each of the chat's lanes. The first mark stays. Messages of the chat that wait
// for quiet wait as long as if one had been written now, whether or not the deleted ones are stored.
// Returns no row. Order 77; its unit is apart.
write mark_removed(bot_id bot, chat_id chat, std::vector<telegram_message_id> const& messages);

struct archived_message {
    telegram_message_id message{}; // 0 = not told
    bool is_own = false;           // said by the bot
    user_id user{};                // 0 = the bot, or nobody whom Telegram names
    std::optional<chat_id> sender_chat;
    std::string name; // as shown
    std::string text;
    std::optional<telegram_message_id> reply_to;
    base::sys_time at; // by Telegram's clock, or when it was stored
    bool is_edited = false;
    bool is_removed = false;   // or hidden: it is spam
    boost::json::value author; // as message.author has it, null = nothing
};

struct archive_page {
    bot_id bot{};
    chat_id chat{};
    lane_id lane{}; // of the reader: a flow's own may have messages of the chat
    std::optional<base::sys_time> from_time = {};   // not before
    std::optional<base::sys_time> before_time = {}; // before
    // With a smaller number alone; 0 = whatever its number.
    telegram_message_id before_message{};
    int limit = 50; // the newest of them
};

// Oldest first. Deleted ones and spam have no text. Failures as of query().
base::awaitable<base::result<std::vector<archived_message>>> read_archive(
    batcher& reads, archive_page page, base::duration deadline
);

// The newest that is known of a person in that chat, by what they wrote there; none: they wrote nothing.
base::awaitable<base::result<std::optional<archived_message>>> find_author(
    batcher& reads, bot_id bot, chat_id chat, lane_id lane, user_id user, base::duration deadline
);

// What a person, or a channel (`sender_chat`), wrote there since then and is not deleted: the newest of it, at most so
// many, oldest first.
struct author_messages {
    bot_id bot{};
    chat_id chat{};
    lane_id lane{}; // of the reader
    user_id user{};
    std::optional<chat_id> sender_chat = {};
    std::chrono::hours since{48}; // before now; Telegram deletes nothing that is older
    int limit = 1000;
};
base::awaitable<base::result<std::vector<telegram_message_id>>> read_author_messages(
    batcher& reads, author_messages page, base::duration deadline
);

// What is stored of an album by now and not deleted, the given message among it; oldest first. Of a watched group.
base::awaitable<base::result<std::vector<telegram_message_id>>> read_album_parts(
    batcher& reads,
    bot_id bot,
    chat_id chat,
    telegram_message_id message,
    std::string album,
    base::duration deadline
);

} // namespace postrider::storage
