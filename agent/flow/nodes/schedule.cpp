#include "agent/flow/node_type.hpp"
#include "base/json/json.hpp"

namespace postrider::agent::flow {

namespace {

trigger_opening open_schedule(boost::json::object const& parameters) {
    boost::json::value const whole(parameters);
    base::json_reader const from(whole);
    schedule_opening times;
    if (from["cron"]) times.recurrence.cron = from["cron"].string_or("");
    if (from["at"]) times.recurrence.at = base::from_iso8601(from["at"].string_or(""));
    times.recurrence.timezone = from["timezone"].string_or("UTC");
    if (auto missed = queue::missed_policy_from_string(from["missed"].string_or("")))
        times.missed = *missed;
    if (auto overlap = queue::overlap_policy_from_string(from["overlap"].string_or("")))
        times.overlap = *overlap;
    return times;
}

} // namespace

behaviour schedule_behaviour() {
    return trigger{
        .source = trigger_source::elsewhere,
        .open = open_schedule,
    };
}

} // namespace postrider::agent::flow
