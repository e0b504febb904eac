#pragma once
// Bytes as base64 (RFC 4648, with padding). Here because OpenSSL is.
#include <optional>
#include <string>
#include <string_view>

namespace postrider::net {

std::string to_base64(std::string_view bytes);
// Of the alphabet for URLs and without padding too; nothing: the text is not base64.
std::optional<std::string> from_base64(std::string_view text);

} // namespace postrider::net
