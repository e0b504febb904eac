#pragma once
// What fails again and again while something is away: reported when it begins or has lasted for longer than is
// tolerated, then once a minute at most, and when it is over. Pure; the caller logs.
//
//     if (outage_.failed(now, tolerated)) log::warn("node.poll_failed", {{"error", error}});
//     if (auto lasted = outage_.over(now)) log::info("node.poll_resumed", {{"after", *lasted}});
#include "base/clock.hpp"

#include <optional>

namespace postrider::base {

class outage {
public:
    static constexpr duration between_lines = std::chrono::minutes{1};

    // True when this failure is to be reported.
    bool failed(steady_time now, duration tolerated = duration{0}) {
        if (!began_) began_ = now;
        if (now - *began_ < tolerated) return false;
        if (told_ && now - *told_ < between_lines) return false;
        told_ = now;
        return true;
    }

    // After a success: how long it failed before, if that was reported.
    std::optional<duration> over(steady_time now) {
        if (!began_) return std::nullopt;
        std::optional<duration> lasted;
        if (told_) lasted = now - *began_;
        began_.reset();
        told_.reset();
        return lasted;
    }

private:
    std::optional<steady_time> began_;
    std::optional<steady_time> told_;
};

} // namespace postrider::base
