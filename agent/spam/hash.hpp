#pragma once
// FNV-1a with 64 bits: the same on every machine and in every version, for its results are stored. Pure.
#include <cstdint>
#include <string_view>

namespace postrider::agent::spam {

constexpr std::uint64_t hash_of(std::string_view text) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (auto const c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3;
    }
    return hash;
}

} // namespace postrider::agent::spam
