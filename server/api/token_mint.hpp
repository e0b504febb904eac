#pragma once
// Makes bearer tokens of the HTTP API, and the tokens of links and sessions of the console; tells
// without a look-up what cannot be one.
//
// A token is the prefix of its kind, 256 random bits and 128 bits of their HMAC-SHA256 under the key
// that the database keeps (storage::read_token_key), all in hexadecimal. A token of one kind is none
// of another. Only the SHA-256 of the whole is stored, so whoever knows the key still has no token.
// Compared in constant time. Pure.
#include "base/random.hpp"
#include "base/secret.hpp"

#include <string>
#include <string_view>

namespace postrider::api {

enum class token_kind {
    bearer,  // "prt_"
    link,    // "prl_": opens one session of the console
    session, // "prs_": what the cookie holds
};

class token_mint {
public:
    // Of an empty key no text is genuine.
    explicit token_mint(base::secret key) : key_(std::move(key)) {}

    // A new token's text; it is shown once.
    base::secret make_token(base::random_source& random, token_kind kind = token_kind::bearer)
        const;
    // True of what make_token() made with the key, revoked and expired ones included.
    bool is_genuine(std::string_view token, token_kind kind = token_kind::bearer) const;

private:
    std::string mac_of(std::string_view text) const;

    base::secret key_;
};

// What is stored of a token.
std::string hash_of(base::secret const& token);

} // namespace postrider::api
