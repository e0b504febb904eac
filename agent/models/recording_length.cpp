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
constexpr std::uint64_t samples_in_second = 48'000;
constexpr std::uint64_t no_position = ~std::uint64_t{0}; // no packet ends on the page
constexpr std::uint64_t longest_believed = std::uint64_t{1} << 48;

std::uint64_t position_of_page(std::string_view page) noexcept {
    std::uint64_t position = 0;
    for (std::size_t byte = 8; byte > 0; --byte)
        position = position << 8 | static_cast<unsigned char>(page[position_at + byte - 1]);
    return position;
}

} // namespace

std::optional<std::chrono::seconds> recording_length(std::string_view bytes) noexcept {
    bool const is_opus = bytes.starts_with(page_mark) &&
                         bytes.substr(0, 2 * page_header + 8).find("OpusHead") != bytes.npos;
    if (!is_opus) return std::nullopt;
    for (auto at = bytes.rfind(page_mark); at != bytes.npos && at > 0;
         at = bytes.rfind(page_mark, at - 1)) {
        if (bytes.size() - at < page_header) continue;
        auto const position = position_of_page(bytes.substr(at));
        if (position == no_position) continue;
        if (position > longest_believed) return std::nullopt;
        auto const whole = (position + samples_in_second - 1) / samples_in_second;
        return std::chrono::seconds{std::max<std::uint64_t>(whole, 1)};
    }
    return std::nullopt;
}

} // namespace postrider::agent
