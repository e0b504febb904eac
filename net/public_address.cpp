#include "net/public_address.hpp"

#include <algorithm>
#include <array>

namespace postrider::net {

namespace {

namespace ip = boost::asio::ip;

struct block_v4 {
    std::uint32_t network;
    int bits;
};

constexpr std::uint32_t v4(int a, int b, int c, int d) {
    return static_cast<std::uint32_t>(a) << 24 | static_cast<std::uint32_t>(b) << 16 |
           static_cast<std::uint32_t>(c) << 8 | static_cast<std::uint32_t>(d);
}

constexpr std::array special_v4{
    block_v4{v4(0, 0, 0, 0), 8},        // this network
    block_v4{v4(10, 0, 0, 0), 8},       // private
    block_v4{v4(100, 64, 0, 0), 10},    // shared; cloud metadata at 100.100.100.200
    block_v4{v4(127, 0, 0, 0), 8},      // loopback
    block_v4{v4(169, 254, 0, 0), 16},   // link-local; cloud metadata at 169.254.169.254
    block_v4{v4(168, 63, 129, 16), 32}, // Azure's host services
    block_v4{v4(172, 16, 0, 0), 12},    // private
    block_v4{v4(192, 0, 0, 0), 24},     // protocol assignments
    block_v4{v4(192, 0, 2, 0), 24},     // documentation
    block_v4{v4(192, 88, 99, 0), 24},   // 6to4 relays
    block_v4{v4(192, 168, 0, 0), 16},   // private
    block_v4{v4(198, 18, 0, 0), 15},    // benchmarking
    block_v4{v4(198, 51, 100, 0), 24},  // documentation
    block_v4{v4(203, 0, 113, 0), 24},   // documentation
    block_v4{v4(224, 0, 0, 0), 4},      // multicast
    block_v4{v4(240, 0, 0, 0), 4},      // reserved, broadcast
};

bool is_public_v4(ip::address_v4 const& address) {
    auto const number = address.to_uint();
    return std::ranges::none_of(special_v4, [number](auto const& block) {
        return (number ^ block.network) >> (32 - block.bits) == 0;
    });
}

// Only 2000::/3 is assigned for global unicast; the rest holds the unspecified, loopback, mapped,
// compatible, NAT64, unique local, link-local and multicast addresses.
bool is_public_v6(ip::address_v6 const& address) {
    auto const bytes = address.to_bytes();
    auto const word = [&bytes](std::size_t i) { return bytes[2 * i] << 8 | bytes[2 * i + 1]; };
    if ((bytes[0] & 0xe0) != 0x20) return false;
    if (word(0) == 0x2001 && word(1) < 0x0200) return false;  // protocols: Teredo, ORCHID, …
    if (word(0) == 0x2001 && word(1) == 0x0db8) return false; // documentation
    if (word(0) == 0x2002) return false;                      // 6to4
    return word(0) != 0x3fff || word(1) > 0x0fff;             // documentation
}

} // namespace

bool is_public(ip::address const& address) {
    if (address.is_v4()) return is_public_v4(address.to_v4());
    return is_public_v6(address.to_v6());
}

} // namespace postrider::net
