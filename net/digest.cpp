#include "net/digest.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace postrider::net {

std::string sha256_hex(std::string_view text) {
    std::array<unsigned char, 32> digest{};
    unsigned size = 0;
    bool const made =
        EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) == 1;
    if (!made || size != digest.size()) throw std::runtime_error("OpenSSL cannot hash");
    std::string hex;
    hex.reserve(2 * digest.size());
    for (auto byte : digest) fmt::format_to(std::back_inserter(hex), "{:02x}", byte);
    return hex;
}

} // namespace postrider::net
