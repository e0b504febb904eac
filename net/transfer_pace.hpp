#pragma once
// The least pace at which a client must send or take bytes, so that a slow one cannot hold a
// connection for as long as an honest large message may take. Pure.
#include "base/clock.hpp"

#include <algorithm>
#include <cstddef>

namespace postrider::net {

struct transfer_pace {
    base::duration grace = base::duration{std::chrono::seconds{5}}; // before the rate counts
    std::size_t bytes_per_second = 500;

    // How long after its begin a message may go on of which so many bytes have moved; never longer
    // than the limit.
    base::duration allowance(std::size_t bytes, base::duration limit) const {
        if (limit <= grace || bytes_per_second == 0) return limit;
        std::chrono::duration<double> const earned{
            static_cast<double>(bytes) / static_cast<double>(bytes_per_second)};
        if (earned >= limit - grace) return limit;
        return grace + std::chrono::duration_cast<base::duration>(earned);
    }
};

} // namespace postrider::net
