#pragma once
// Hashes of secrets that are stored. Here because OpenSSL is.
#include <string>
#include <string_view>

namespace postrider::net {

// 64 lower-case hexadecimal digits. Throws std::runtime_error when OpenSSL refuses.
std::string sha256_hex(std::string_view text);

} // namespace postrider::net
