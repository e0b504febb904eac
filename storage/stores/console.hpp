#pragma once
// Access to the console in browsers, by hashes: links that open one session each, and sessions. The
// tokens themselves never come here. All times are the database's. All of it throws as
// transaction::query() does.
#include "base/ids.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"
#include "storage/stores/tokens.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

inline constexpr std::chrono::seconds console_link_lifetime = std::chrono::minutes{15};
// A session ends when it was not used for so long, and in any case after the longest time.
inline constexpr std::chrono::seconds console_session_idle = std::chrono::hours{7 * 24};
inline constexpr std::chrono::seconds console_session_longest = std::chrono::hours{30 * 24};

// Owner, editor or reader: a user has no console.
bool opens_console(token_role role) noexcept;

struct new_console_link {
    user_id user{}; // whom the session acts as; 0 = nobody
    token_role role = token_role::reader;
    std::string sha256; // in hexadecimal
};
// The time at which it expires, in ISO 8601.
std::string add_console_link(transaction& tx, new_console_link const& link);

struct console_session {
    console_session_id id{};
    token_role role = token_role::reader;
    user_id user{};         // 0 = nobody
    std::string created_at; // times in ISO 8601, UTC
    std::string last_seen_at;
    std::string expires_at;
};

// The session that the link opens, or nothing: the link is unknown, used or expired. Of requests that
// come at once with the same link, one gets the session.
std::optional<console_session> open_console_session(
    transaction& tx, std::string_view link_sha256, std::string_view session_sha256
);

// Sessions that somebody may see and end.
struct console_scope {
    bool all = false;
    user_id user{};                       // those of the person; 0 = of nobody
    console_session_id own{};             // and this one
    token_role role = token_role::reader; // unless all: none whose role is above it
};
// Those that are not over, newest first; below that id, where one is given.
std::vector<console_session> list_console_sessions(
    transaction& tx, console_scope const& scope, std::optional<console_session_id> below, int limit
);
// False when there is none in the scope that is not over.
bool revoke_console_session(transaction& tx, console_scope const& scope, console_session_id id);
// How many there were.
std::int64_t revoke_all_console_sessions(transaction& tx);
// The session with this cookie, as it was; nothing when there is none that is not over.
std::optional<console_session> leave_console_session(transaction& tx, std::string_view sha256);

// A session that somebody presents, one that is over included. Its unit gets one row,
// read_console_session(), or none when there is no such session. For a batcher that reads.
struct presented_session {
    console_session_id id{};
    user_id user{};
    token_role role = token_role::reader;
    bool over = false;       // revoked or expired
    bool seen_noted = false; // in this minute
};
write find_console_session(std::string_view sha256);
presented_session read_console_session(row const& returned);

// Notes the minute in which sessions were used, and lets them slide. Those that are over stay so.
base::awaitable<base::result<void>> note_console_sessions(
    database& db, std::vector<console_session_id> const& seen, base::duration deadline
);

// When it expires unless it is used; nothing when there is no such session.
std::optional<std::string> session_expiry(transaction& tx, console_session_id id);

} // namespace postrider::storage
