#pragma once
// Bytes as lower-case hexadecimal digits. Pure.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace postrider::base {

std::string to_hex(std::span<std::byte const> bytes);
std::string to_hex(std::string_view bytes);

} // namespace postrider::base
