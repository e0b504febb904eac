#include "agent/models/told_pause.hpp"

#include "agent/models/vendor_words.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace postrider::agent {

namespace {

constexpr std::chrono::minutes shortest_told{1};

constexpr std::string_view pause_mark = ", to be asked again at ";
constexpr std::string_view breaker_mark = " is open until "; // of queue/node/limits.cpp
constexpr std::array marks{pause_mark, breaker_mark};

constexpr std::size_t moment_size = std::string_view("2026-11-23T16:00:00Z").size();

} // namespace

std::string note_pause(std::optional<std::chrono::milliseconds> asked, base::sys_time now) {
    if (!asked || *asked < shortest_told) return {};
    auto const end = std::chrono::ceil<std::chrono::seconds>(now + *asked);
    return std::string(pause_mark) + base::to_iso8601(end);
}

std::optional<base::sys_time> told_end_of_pause(base::error const& failure) {
    auto const detail = without_words(failure).detail;
    std::size_t last = 0;
    for (auto const mark : marks)
        if (auto const at = detail.rfind(mark); at != detail.npos)
            last = std::max(last, at + mark.size());
    if (last == 0) return std::nullopt;
    return base::from_iso8601(std::string_view(detail).substr(last, moment_size));
}

} // namespace postrider::agent
