#include "net/request_id.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::net {

bool is_request_id(std::string_view text) noexcept {
    return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '-' || c == '_' || c == '.';
    });
}

std::string request_id_source::next() {
    // SplitMix64: a bijection of a counter, so ids do not repeat.
    auto mixed = last_ += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    mixed ^= mixed >> 31;
    return fmt::format("{:016x}", mixed);
}

} // namespace postrider::net
