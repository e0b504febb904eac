#pragma once
// Recurring times as people say them in English, as cron expressions:
//     every weekday at 9            0 9 * * 1-5
//     every monday and thursday at 18:30
//     every month on the 1st at 10, monthly on the last day, every year on 24 december at 8
//     every 2 hours, hourly, every 30 minutes
// A day without a time means nine o'clock. A cron expression is taken as it is. Pure.
#include "base/error.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace postrider::agent {

// A person is not reminded more often than that.
inline constexpr std::chrono::minutes closest_reminders{10};

// A cron expression (base/cron.hpp). invalid: not understood, or it would come more often; the
// detail says what to write.
base::result<std::string> read_recurrence(std::string_view text);

} // namespace postrider::agent
