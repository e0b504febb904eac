#include "agent/flow/run/message_place.hpp"

namespace postrider::agent::flow {

namespace {

// Bits, the outermost node's above all: 10, 15, 9, 10 and 19 make a positive bigint.
constexpr int rank_bits = 10;
constexpr int message_bits = 15;
constexpr int call_bits = 9;
constexpr int inner_bits = 19;
// Of the inner ones: what is no part of the history gets odd places, behind a message of it.
constexpr int room_bits = 6;
constexpr int deep_room_bits = 1;

constexpr std::uint64_t low_bits(std::uint64_t value, int bits) noexcept {
    return value & ((1ULL << bits) - 1);
}

// FNV-1a: std::hash may differ between builds.
class place_hash {
public:
    void add(std::uint64_t number) noexcept {
        for (int byte = 0; byte < 8; ++byte)
            hash_ = (hash_ ^ low_bits(number >> (8 * byte), 8)) * 0x100000001b3U;
    }
    std::uint64_t folded(int bits) const noexcept {
        return low_bits(hash_ ^ hash_ >> bits ^ hash_ >> (2 * bits) ^ hash_ >> (3 * bits), bits);
    }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325U;
};

std::uint64_t hash_of(std::span<call_place const> calls, std::size_t rank, int k) noexcept {
    place_hash hash;
    for (auto const& call : calls) {
        hash.add(call.rank);
        hash.add(static_cast<std::uint64_t>(call.k));
        hash.add(static_cast<std::uint64_t>(call.number));
    }
    hash.add(rank);
    hash.add(static_cast<std::uint64_t>(k));
    return hash.folded(inner_bits - 1 - deep_room_bits) << deep_room_bits;
}

} // namespace

std::int64_t message_place(std::span<call_place const> calls, std::size_t rank, int k) noexcept {
    auto const message = static_cast<std::uint64_t>(k);
    bool const called = !calls.empty();
    std::uint64_t place = low_bits((called ? calls.front().rank : rank) + 1, rank_bits);
    place = place << message_bits |
            low_bits(called ? static_cast<std::uint64_t>(calls.front().k) : message, message_bits);
    place <<= call_bits + rank_bits + inner_bits;
    if (!called) return static_cast<std::int64_t>(place);

    std::uint64_t inner = low_bits(static_cast<std::uint64_t>(calls.front().number), call_bits);
    inner = inner << rank_bits | low_bits((calls.size() > 1 ? calls[1].rank : rank) + 1, rank_bits);
    inner <<= inner_bits;
    if (calls.size() == 1)
        inner |= low_bits(message, inner_bits - 1 - room_bits) << room_bits;
    else
        inner |= 1ULL << (inner_bits - 1) | hash_of(calls.subspan(1), rank, k);
    return static_cast<std::int64_t>(place | inner);
}

} // namespace postrider::agent::flow
