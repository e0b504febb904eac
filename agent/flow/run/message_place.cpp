#include "agent/flow/run/message_place.hpp"

namespace postrider::agent::flow {

namespace {

// Bits, the outermost node's above all: 12, 24, 12 and 15 make a positive bigint.
constexpr int of_message = 15;
constexpr int of_node = 12;
constexpr int of_call = 24;

// FNV-1a, folded: std::hash may differ between builds.
std::uint64_t number_of(std::string_view call) noexcept {
    if (call.empty()) return 0;
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (auto const c : call) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return (hash ^ hash >> of_call ^ hash >> (2 * of_call)) & ((1U << of_call) - 1);
}

} // namespace

std::int64_t message_place(
    std::size_t outermost, std::string_view called, std::size_t node, int k
) noexcept {
    std::uint64_t place = outermost + 1;
    place = place << of_call | number_of(called);
    place = (place << of_node) + node;
    place = (place << of_message) + static_cast<std::uint64_t>(k);
    return static_cast<std::int64_t>(place);
}

} // namespace postrider::agent::flow
