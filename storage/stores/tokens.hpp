#pragma once
// Bearer tokens of the HTTP API, by their hash: who holds one, what it may do, whether it still
// counts. The token itself never comes here. All of it throws as transaction::query() does.
#include "base/clock.hpp"
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

enum class token_role {
    owner,  // everything
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

token_row add_token(transaction& tx, new_token const& made);
// Newest first, at most 1,000; those that no longer count included.
std::vector<token_row> list_tokens(transaction& tx);
// The row as it is then, or nothing when there is none. Revoking again changes nothing.
std::optional<token_row> revoke_token(transaction& tx, token_id which);
// The row of a token that somebody presents, revoked and expired ones included. Notes the minute of
// the use of one that counts.
std::optional<token_row> find_token(transaction& tx, std::string_view sha256);

} // namespace postrider::storage
