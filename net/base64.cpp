#include "net/base64.hpp"

#include <openssl/evp.h>

#include <algorithm>

namespace postrider::net {

namespace {

unsigned char* octets(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}
unsigned char const* octets(std::string_view text) {
    return reinterpret_cast<unsigned char const*>(text.data());
}

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::string to_base64(std::string_view bytes) {
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0'); // a NUL is written behind it
    auto const size = EVP_EncodeBlock(octets(text), octets(bytes), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(size));
    return text;
}

std::optional<std::string> from_base64(std::string_view text) {
    std::string padded(text.substr(0, text.find_last_not_of('=') + 1)); // npos + 1 is 0
    auto const padding = text.size() - padded.size();
    std::ranges::replace(padded, '-', '+');
    std::ranges::replace(padded, '_', '/');
    // OpenSSL would skip blanks, and cares for no more than the length.
    if (padded.find_first_not_of(alphabet) != padded.npos || padded.size() % 4 == 1 || padding > 2)
        return std::nullopt;
    auto const missing = (4 - padded.size() % 4) % 4;
    if (padding > 0 && padding != missing) return std::nullopt;
    padded.append(missing, '=');
    std::string bytes(padded.size() / 4 * 3, '\0');
    auto const size =
        EVP_DecodeBlock(octets(bytes), octets(padded), static_cast<int>(padded.size()));
    if (size < 0) return std::nullopt;
    bytes.resize(static_cast<std::size_t>(size) - missing);
    return bytes;
}

} // namespace postrider::net
