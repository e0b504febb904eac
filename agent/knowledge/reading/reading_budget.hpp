#pragma once
// What the reading of one document may still take: time, and bytes that are unpacked. For the thread that reads.
#include "agent/knowledge/reading/read_document.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"

#include <cstddef>
#include <stop_token>

namespace postrider::agent::knowledge {

class reading_budget {
public:
    explicit reading_budget(reading_limits const& limits, std::stop_token stop = {});

    reading_limits const& limits() const noexcept { return limits_; }
    // False: the time is over, or the caller stopped.
    bool has_time() const;
    // Before work of some milliseconds: document_too_slow().
    base::result<void> check() const;
    // Of what an archive holds: document_too_large().
    base::result<void> unpack(std::size_t bytes);
    // More bytes than may still be unpacked.
    bool is_beyond(std::uint64_t bytes) const noexcept { return bytes > unpacked_left_; }

private:
    reading_limits limits_;
    std::stop_token stop_;
    base::steady_time end_;
    std::size_t unpacked_left_;
};

} // namespace postrider::agent::knowledge
