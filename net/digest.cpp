#include "net/digest.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <stdexcept>

namespace postrider::net {

namespace {

using digest = std::array<unsigned char, 32>;

std::string hex_of(digest const& bytes, bool made, unsigned size) {
    if (!made || size != bytes.size()) throw std::runtime_error("OpenSSL cannot hash");
    std::string hex;
    hex.reserve(2 * bytes.size());
    for (auto byte : bytes) fmt::format_to(std::back_inserter(hex), "{:02x}", byte);
    return hex;
}

} // namespace

std::string sha256_hex(std::string_view text) {
    digest made{};
    unsigned size = 0;
    bool const done =
        EVP_Digest(text.data(), text.size(), made.data(), &size, EVP_sha256(), nullptr) == 1;
    return hex_of(made, done, size);
}

std::string hmac_sha256_hex(std::string_view key, std::string_view text) {
    digest made{};
    unsigned size = 0;
    auto const* bytes = reinterpret_cast<unsigned char const*>(text.data());
    auto const key_size = static_cast<int>(key.size());
    bool const done =
        HMAC(EVP_sha256(), key.data(), key_size, bytes, text.size(), made.data(), &size) != nullptr;
    return hex_of(made, done, size);
}

} // namespace postrider::net
