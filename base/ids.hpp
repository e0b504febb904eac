#pragma once
// Strong ids: a swapped chat_id and user_id is a privacy incident, not a typo.
//
// Each is an enum class over int64, so it costs nothing, compares and hashes like its number, and
// converts only when asked: base::raw(id), job_id{7}.
#include <cstdint>
#include <string>
#include <type_traits>

namespace postrider {

// Telegram's ids. chat_id is negative for groups; user ids exceed 32 bits.
enum class update_id : std::int64_t {};
enum class chat_id : std::int64_t {};
enum class user_id : std::int64_t {};
enum class thread_id : std::int64_t {};           // forum topic; 0 = none
enum class telegram_message_id : std::int64_t {}; // unique inside its chat only

// Ours.
enum class bot_id : std::int64_t {};
enum class lane_id : std::int64_t {};
enum class job_id : std::int64_t {};
enum class node_id : std::int64_t {};
enum class lane_epoch : std::int64_t {}; // generation of a lease; never repeats
enum class conversation_id : std::int64_t {};
enum class token_id : std::int64_t {};           // of a bearer token's row, not the token
enum class console_session_id : std::int64_t {}; // of a browser that is logged in
enum class flow_id : std::int64_t {};

namespace base {

template<class Id>
requires std::is_enum_v<Id>
constexpr std::int64_t raw(Id id) noexcept {
    return static_cast<std::int64_t>(id);
}

template<class Id>
requires std::is_enum_v<Id> std::string to_string(Id id) {
    return std::to_string(raw(id));
}

} // namespace base
} // namespace postrider
