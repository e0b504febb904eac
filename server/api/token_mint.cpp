#include "server/api/token_mint.hpp"

#include "net/digest.hpp"

namespace postrider::api {

namespace {

constexpr std::size_t prefix_length = 4;
constexpr std::size_t random_bytes = 32;
constexpr std::size_t mac_digits = 32; // 128 bits
constexpr std::size_t signed_length = prefix_length + 2 * random_bytes;

std::string_view prefix_of(token_kind kind) {
    switch (kind) {
    case token_kind::bearer:
        return "prt_";
    case token_kind::link:
        return "prl_";
    case token_kind::session:
        return "prs_";
    }
    return {};
}

} // namespace

base::secret token_mint::make_token(base::random_source& random, token_kind kind) const {
    auto text = std::string(prefix_of(kind)) + base::hex_token(random, random_bytes);
    auto const mac = mac_of(text);
    return base::secret(text + mac);
}

bool token_mint::is_genuine(std::string_view token, token_kind kind) const {
    if (key_.empty() || token.size() != signed_length + mac_digits) return false;
    if (!token.starts_with(prefix_of(kind))) return false;
    base::secret const expected(mac_of(token.substr(0, signed_length)));
    return expected.matches(token.substr(signed_length));
}

std::string token_mint::mac_of(std::string_view text) const {
    return net::hmac_sha256_hex(key_.reveal(), text).substr(0, mac_digits);
}

std::string hash_of(base::secret const& token) {
    return net::sha256_hex(token.reveal());
}

} // namespace postrider::api
