#pragma once
// Hashes: of secrets that are stored, and of what somebody signed. Here because OpenSSL is. In
// lower-case hexadecimal; std::runtime_error is thrown when OpenSSL refuses.
#include <string>
#include <string_view>

namespace postrider::net {

enum class hash { md5, sha1, sha256, sha512 };
std::string hash_hex(hash kind, std::string_view text);
std::string hmac_hex(hash kind, std::string_view key, std::string_view text);

std::string sha256_hex(std::string_view text);
std::string hmac_sha256_hex(std::string_view key, std::string_view text);

} // namespace postrider::net
