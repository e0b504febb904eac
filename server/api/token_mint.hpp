#pragma once
// Makes bearer tokens of the HTTP API, and tells without a look-up what cannot be one.
//
// A token is "prt_", 256 random bits and 128 bits of their HMAC-SHA256 under the key that the
// database keeps (storage::read_token_key), all in hexadecimal. Only the SHA-256 of the whole is
// stored, so whoever knows the key still has no token. Compared in constant time. Pure.
#include "base/random.hpp"
#include "base/secret.hpp"

#include <string>
#include <string_view>

namespace postrider::api {

class token_mint {
public:
    // Of an empty key no text is genuine.
    explicit token_mint(base::secret key) : key_(std::move(key)) {}

    // A new token's text; it is shown once.
    base::secret make_token(base::random_source& random) const;
    // True of what make_token() made with the key, revoked and expired ones included.
    bool is_genuine(std::string_view token) const;

private:
    std::string mac_of(std::string_view text) const;

    base::secret key_;
};

// What is stored of a token.
std::string hash_of(base::secret const& token);

} // namespace postrider::api
