#pragma once
// Updates as the Bot API's documentation shows them, shortened.
#include <string_view>

namespace postrider::telegram::samples {

inline constexpr std::string_view group_command =
    R"({"update_id":731204511,"message":{"message_id":4182,"message_thread_id":17,"is_topic_message":true,
    "from":{"id":5401122337,"is_bot":false,"first_name":"Ivana","username":"ivana_k","language_code":"hr"},
    "chat":{"id":-1002233445566,"title":"Plant care","type":"supergroup","is_forum":true},"date":1795228800,
    "text":"/ask@fern_bot how often?","entities":[{"offset":0,"length":13,"type":"bot_command"}]}})";

inline constexpr std::string_view voice_reply =
    R"({"update_id":731204512,"message":{"message_id":4190,"from":{"id":5401122337,"is_bot":false,
    "first_name":"Ivana"},"chat":{"id":5401122337,"first_name":"Ivana","type":"private"},"date":1795228931,
    "reply_to_message":{"message_id":4185,"from":{"id":7100200300,"is_bot":true,"first_name":"Fern",
    "username":"fern_bot"},"chat":{"id":5401122337,"first_name":"Ivana","type":"private"},"date":1795228900,
    "text":"Water it weekly, less in winter."},"quote":{"text":"less in winter","position":17,
    "is_manual":true},"voice":{"file_id":"AwACAgQAAxkBAAIB","file_unique_id":"AgADqwAD","duration":4,
    "mime_type":"audio/ogg","file_size":16220}}})";

inline constexpr std::string_view edit =
    R"({"update_id":731204513,"edited_message":{"message_id":4177,"from":{"id":5401122337,"is_bot":false,
    "first_name":"Ivana"},"chat":{"id":-1002233445566,"title":"Plant care","type":"supergroup"},
    "date":1795228700,"edit_date":1795228990,"text":"how much water?"}})";

inline constexpr std::string_view press =
    R"({"update_id":731204514,"callback_query":{"id":"23197654321098765","from":{"id":5401122337,
    "is_bot":false,"first_name":"Ivana"},"message":{"message_id":4201,"from":{"id":7100200300,"is_bot":true,
    "first_name":"Fern","username":"fern_bot"},"chat":{"id":-1002233445566,"title":"Plant care",
    "type":"supergroup"},"date":1795229000,"text":"Ban this user?"},"chat_instance":"-5512345678901234567",
    "data":"ban:5409998887"}})";

inline constexpr std::string_view membership =
    R"({"update_id":731204515,"my_chat_member":{"chat":{"id":-1002233445566,"title":"Plant care",
    "type":"supergroup"},"from":{"id":5401122337,"is_bot":false,"first_name":"Ivana"},"date":1795229100,
    "old_chat_member":{"user":{"id":7100200300,"is_bot":true,"first_name":"Fern"},"status":"member"},
    "new_chat_member":{"user":{"id":7100200300,"is_bot":true,"first_name":"Fern"},"status":"kicked",
    "until_date":0}}})";

inline constexpr std::string_view reaction =
    R"({"update_id":731204516,"message_reaction":{"chat":{"id":-1002233445566,"title":"Plant care",
    "type":"supergroup"},"message_id":4201,"user":{"id":5401122337,"is_bot":false,"first_name":"Ivana"},
    "date":1795229160,"old_reaction":[],"new_reaction":[{"type":"emoji","emoji":"👍"}]}})";

inline constexpr std::string_view migration =
    R"({"update_id":731204517,"message":{"message_id":9,"from":{"id":5401122337,"is_bot":false,
    "first_name":"Ivana"},"chat":{"id":-445566,"title":"Plant care","type":"group"},"date":1795229200,
    "migrate_to_chat_id":-1002233445566}})";

} // namespace postrider::telegram::samples
