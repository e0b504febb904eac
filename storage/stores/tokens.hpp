#pragma once
// Bearer tokens of the HTTP API, by their hash: who holds one, what it may do, whether it still
// counts; and the key of the MAC that they carry. The token itself never comes here. All of it
// throws as transaction::query() does.
#include "base/clock.hpp"
#include "base/ids.hpp"
#include "base/secret.hpp"
#include "storage/batcher.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

enum class token_role {
    owner,  // everything
    editor, // what a reader sees, and changes drafts of flows and tests them
    user,   // what is the user's own
    reader, // sees everything, changes nothing
};
std::string_view to_string(token_role role) noexcept;
std::optional<token_role> token_role_from_string(std::string_view name) noexcept;

inline constexpr std::size_t token_name_limit = 100; // characters
bool fits_token_name(std::string_view name) noexcept;

struct new_token {
    user_id user{};
    token_role role = token_role::reader;
    std::string name;   // for people
    std::string sha256; // in hexadecimal
    std::optional<std::chrono::seconds> lifetime;
};

struct token_row {
    token_id id{};
    user_id user{};
    token_role role = token_role::reader;
    std::string name;
    std::string created_at; // times in ISO 8601, UTC
    std::optional<std::string> last_used_at;
    std::optional<std::string> expires_at;
    std::optional<std::string> revoked_at;
    bool expired = false;
};

// Never another one as long as the database lives.
base::secret read_token_key(transaction& tx);

token_row add_token(transaction& tx, new_token const& token);
// Newest first, those that no longer count included; below that id, where one is given.
std::vector<token_row> list_tokens(transaction& tx, std::optional<token_id> below, int limit);
// The row as it is then, or nothing when there is none. Revoking again changes nothing.
std::optional<token_row> revoke_token(transaction& tx, token_id id);
// Nothing when it does not expire, or there is no such token.
std::optional<std::string> token_expiry(transaction& tx, token_id id);

// A token that somebody presents, revoked and expired ones included. Its unit gets one row,
// read_token(), or none when there is no such token. For a batcher that reads.
struct presented_token {
    token_id id{};
    user_id user{};
    token_role role = token_role::reader;
    bool revoked = false;
    bool expired = false;
    bool use_noted = false; // in this minute
};
write find_token(std::string_view sha256);
presented_token read_token(row const& returned);

// Notes the minute of the use of a token that counts.
base::awaitable<base::result<void>> note_token_use(
    database& db, token_id id, base::duration deadline
);

} // namespace postrider::storage
