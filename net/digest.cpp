#include "net/digest.hpp"

#include "base/hex.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <span>
#include <stdexcept>

namespace postrider::net {

namespace {

using digest = std::array<unsigned char, EVP_MAX_MD_SIZE>;

std::string checked_hex(digest const& bytes, bool computed, unsigned size) {
    if (!computed) throw std::runtime_error("OpenSSL cannot hash");
    return base::to_hex(std::as_bytes(std::span(bytes).first(size)));
}

EVP_MD const* algorithm(hash kind) {
    switch (kind) {
    case hash::md5:
        return EVP_md5();
    case hash::sha1:
        return EVP_sha1();
    case hash::sha256:
        return EVP_sha256();
    default:
        return EVP_sha512();
    }
}

} // namespace

std::string hash_hex(hash kind, std::string_view text) {
    digest bytes{};
    unsigned size = 0;
    bool const computed =
        EVP_Digest(text.data(), text.size(), bytes.data(), &size, algorithm(kind), nullptr) == 1;
    return checked_hex(bytes, computed, size);
}

std::string hmac_hex(hash kind, std::string_view key, std::string_view text) {
    digest bytes{};
    unsigned size = 0;
    auto const* message = reinterpret_cast<unsigned char const*>(text.data());
    auto const key_size = static_cast<int>(key.size());
    bool const computed =
        HMAC(algorithm(kind), key.data(), key_size, message, text.size(), bytes.data(), &size) !=
        nullptr;
    return checked_hex(bytes, computed, size);
}

std::string sha256_hex(std::string_view text) {
    return hash_hex(hash::sha256, text);
}

std::string hmac_sha256_hex(std::string_view key, std::string_view text) {
    return hmac_hex(hash::sha256, key, text);
}

} // namespace postrider::net
