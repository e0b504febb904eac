#include "net/digest.hpp"

#include "base/hex.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <stdexcept>

namespace postrider::net {

namespace {

using digest = std::array<std::byte, 32>;

std::string checked_hex(digest const& bytes, bool computed, unsigned size) {
    if (!computed || size != bytes.size()) throw std::runtime_error("OpenSSL cannot hash");
    return base::to_hex(bytes);
}

unsigned char* octets(digest& bytes) {
    return reinterpret_cast<unsigned char*>(bytes.data());
}

} // namespace

std::string sha256_hex(std::string_view text) {
    digest bytes{};
    unsigned size = 0;
    bool const computed =
        EVP_Digest(text.data(), text.size(), octets(bytes), &size, EVP_sha256(), nullptr) == 1;
    return checked_hex(bytes, computed, size);
}

std::string hmac_sha256_hex(std::string_view key, std::string_view text) {
    digest bytes{};
    unsigned size = 0;
    auto const* message = reinterpret_cast<unsigned char const*>(text.data());
    auto const key_size = static_cast<int>(key.size());
    bool const computed =
        HMAC(EVP_sha256(), key.data(), key_size, message, text.size(), octets(bytes), &size) !=
        nullptr;
    return checked_hex(bytes, computed, size);
}

} // namespace postrider::net
