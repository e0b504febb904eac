#include "agent/flow/run/message_place.hpp"

#include <initializer_list>

namespace postrider::agent::flow {

namespace {

constexpr int place_bits = 62; // of a positive bigint, but for the lowest: places are even
// Of a longer path the levels that end within so many bits, and always the first, are not hashed.
constexpr int most_exact_bits = 30;
constexpr int mark_bits = 3;

constexpr std::uint64_t low_bits(std::uint64_t value, int bits) noexcept {
    return value & ((1ULL << bits) - 1);
}

// Bits from the highest on. What does not fit is counted only.
class bit_writer {
public:
    void write(std::uint64_t value, int bits) noexcept {
        size_ += bits;
        if (size_ <= place_bits) written_ |= low_bits(value, bits) << (place_bits - size_);
    }
    // A number in the first of these lengths that it fits into, behind a one for each that was too short:
    // the codes are in the order of the numbers.
    void write_number(std::uint64_t number, std::initializer_list<int> lengths) noexcept {
        for (auto const& length : lengths) {
            bool const is_last = &length == lengths.end() - 1;
            bool const is_short = !is_last && number >> length != 0;
            if (!is_last) write(is_short ? 1 : 0, 1);
            if (!is_short) {
                write(number, length);
                return;
            }
            number -= 1ULL << length;
        }
    }
    int size() const noexcept { return size_; }
    std::uint64_t written() const noexcept { return written_; }

private:
    std::uint64_t written_ = 0;
    int size_ = 0;
};

void write_message(bit_writer& place, std::size_t rank, int k) noexcept {
    place.write_number(rank + 1, {4, 6, 10});
    place.write_number(static_cast<std::uint64_t>(k), {4, 7, 10, 17});
}

// What follows a message: 0 = nothing, 10 and 110 = a call behind it, 111 = the hash of all the rest.
void write_call(bit_writer& place, int number) noexcept {
    if (number == 0) {
        place.write(2, 2);
        return;
    }
    place.write(6, mark_bits);
    place.write_number(static_cast<std::uint64_t>(number) - 1, {3, 8, 15});
}

// FNV-1a: std::hash may differ between builds.
class place_hash {
public:
    void add(std::uint64_t number) noexcept {
        for (int byte = 0; byte < 8; ++byte)
            hash_ = (hash_ ^ low_bits(number >> (8 * byte), 8)) * 0x100000001b3U;
    }
    std::uint64_t folded(int bits) const noexcept { return low_bits(hash_ ^ hash_ >> bits, bits); }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325U;
};

} // namespace

std::int64_t message_place(std::span<call_place const> calls, std::size_t rank, int k) noexcept {
    bit_writer exact;
    bit_writer shortened;
    place_hash rest;
    bool is_shortened = false;
    int number_before = 0;
    for (std::size_t level = 0; level <= calls.size(); ++level) {
        bool const is_message = level == calls.size();
        auto const level_rank = is_message ? rank : calls[level].rank;
        auto const level_k = is_message ? k : calls[level].k;
        if (level > 0) write_call(exact, number_before);
        write_message(exact, level_rank, level_k);
        is_shortened = is_shortened || (level > 0 && exact.size() > most_exact_bits);
        if (is_shortened) {
            rest.add(static_cast<std::uint64_t>(number_before));
            rest.add(level_rank);
            rest.add(static_cast<std::uint64_t>(level_k));
        } else {
            shortened = exact;
        }
        number_before = is_message ? 0 : calls[level].number;
    }
    if (exact.size() > place_bits) {
        shortened.write(7, mark_bits);
        auto const bits = place_bits - shortened.size();
        shortened.write(rest.folded(bits), bits);
        exact = shortened;
    }
    return static_cast<std::int64_t>(exact.written() << 1);
}

} // namespace postrider::agent::flow
