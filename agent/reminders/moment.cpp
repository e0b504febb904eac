#include "agent/reminders/moment.hpp"

#include "agent/language/reading/understand.hpp"

#include <fmt/format.h>

namespace postrider::agent {

namespace {

base::error invalid(std::string detail) {
    return {base::errc::invalid, std::move(detail)};
}

base::error passed(base::sys_time now, base::time_zone const& zone) {
    return invalid(fmt::format(
        "that time has passed: it is {} ({}); write a time to come",
        base::to_iso8601(now, zone),
        zone.name()
    ));
}

base::result<base::sys_time> moment_in_zone(
    std::string_view text, base::sys_time now, base::time_zone const& zone
) {
    if (auto const instant = base::from_iso8601(text)) return *instant;
    if (auto const wall = base::local_from_iso8601(text))
        return base::sys_time{zone.at_local(*wall).first};
    auto const said = language::understand_time(text, now, zone);
    if (!said)
        return invalid(fmt::format(
            "\"{}\" is no time; write 2026-12-24T18:00, or words such as \"in 10 minutes\", "
            "\"tomorrow at 9\" or \"next friday at 18:30\". What recurs is for the tool schedule",
            text
        ));
    if (!said->due) return passed(now, zone);
    return said->due->at;
}

} // namespace

base::result<base::sys_time> read_moment(
    std::string_view text, base::sys_time now, base::time_zone const& zone
) {
    auto instant = moment_in_zone(text, now, zone);
    if (!instant) return instant;
    if (*instant <= now) return passed(now, zone);
    if (*instant > now + furthest_reminder)
        return invalid(fmt::format(
            "{} is too far away: at most {} years from now",
            base::to_iso8601(*instant, zone),
            furthest_reminder.count()
        ));
    return instant;
}

} // namespace postrider::agent
