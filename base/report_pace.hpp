#pragma once
// Counts what may happen far more often than a log should have lines: a report is due at once, and
// then at most every ten seconds. For one thread.
#include "base/clock.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace postrider::base {

class report_pace {
public:
    static constexpr duration between_reports = std::chrono::seconds{10};

    // It happened. When a report is due: how often it has since the one before.
    std::optional<std::uint64_t> note(steady_time now) {
        ++total_;
        ++unreported_;
        if (reported_ && now - *reported_ < between_reports) return std::nullopt;
        reported_ = now;
        return std::exchange(unreported_, 0);
    }

    std::uint64_t total() const noexcept { return total_; }

private:
    std::uint64_t total_ = 0;
    std::uint64_t unreported_ = 0;
    std::optional<steady_time> reported_;
};

// The same of several subjects, such as flows: each is reported by itself.
class report_paces {
public:
    std::optional<std::uint64_t> note(std::string_view subject, steady_time now) {
        ++total_;
        auto known = paces_.find(subject);
        if (known == paces_.end()) known = paces_.try_emplace(std::string(subject)).first;
        return known->second.note(now);
    }

    std::uint64_t total() const noexcept { return total_; }

private:
    std::uint64_t total_ = 0;
    std::map<std::string, report_pace, std::less<>> paces_;
};

} // namespace postrider::base
