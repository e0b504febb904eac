#include "agent/models/recording_length.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace postrider::agent {

namespace {

// Source: RFC 3533 (pages of Ogg) and RFC 7845 (Opus in Ogg: positions count samples of 48 kHz).
constexpr std::string_view page_mark = "OggS";
constexpr std::size_t position_at = 6;
constexpr std::size_t page_header = 27;
constexpr std::size_t skipped_at = 10; // in the head: samples before the sound begins
constexpr std::uint64_t samples_in_second = 48'000;
constexpr std::uint64_t no_position = ~std::uint64_t{0}; // no packet ends on the page
constexpr std::uint64_t longest_believed = std::uint64_t{1} << 48;

// The lowest byte stands first.
std::uint64_t number_in(std::string_view bytes) noexcept {
    std::uint64_t number = 0;
    for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte)
        number = number << 8 | static_cast<unsigned char>(*byte);
    return number;
}

} // namespace

std::optional<std::chrono::seconds> recording_length(std::string_view bytes) noexcept {
    auto const head = bytes.substr(0, 2 * page_header + 8).find("OpusHead");
    if (!bytes.starts_with(page_mark) || head == bytes.npos || bytes.size() < head + skipped_at + 2)
        return std::nullopt;
    auto const skipped = number_in(bytes.substr(head + skipped_at, 2));
    for (auto at = bytes.rfind(page_mark); at != bytes.npos && at > 0;
         at = bytes.rfind(page_mark, at - 1)) {
        if (bytes.size() - at < page_header) continue;
        auto const position = number_in(bytes.substr(at + position_at, 8));
        if (position == no_position) continue;
        if (position > longest_believed) return std::nullopt;
        auto const samples = position - std::min(position, skipped);
        auto const whole = (samples + samples_in_second - 1) / samples_in_second;
        return std::chrono::seconds{std::max<std::uint64_t>(whole, 1)};
    }
    return std::nullopt;
}

} // namespace postrider::agent
