#pragma once
// The ids of requests, which stand in answers and in the log.
#include <cstdint>
#include <string>
#include <string_view>

namespace postrider::net {

// Fit to be taken over from a trusted proxy: up to 64 letters, digits, '-', '_' and '.'.
bool is_request_id(std::string_view text) noexcept;

class request_id_source {
public:
    // Starts at random, so that two processes do not make the same ids.
    explicit request_id_source(std::uint64_t seed) : last_(seed) {}

    // 16 hexadecimal digits, never the same twice from one source.
    std::string next();

private:
    std::uint64_t last_;
};

} // namespace postrider::net
