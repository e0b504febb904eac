#include "agent/flow/node_type.hpp"
#include "base/json/json.hpp"

namespace postrider::agent::flow {

namespace {

trigger_opening open_schedule(boost::json::object const& parameters) {
    boost::json::value const values(parameters);
    base::json_reader const fields(values);
    schedule_opening times;
    if (fields["cron"]) times.recurrence.cron = fields["cron"].string_or("");
    if (fields["at"]) times.recurrence.at = base::from_iso8601(fields["at"].string_or(""));
    times.recurrence.timezone = fields["timezone"].string_or("UTC");
    if (auto missed = queue::missed_policy_from_string(fields["missed"].string_or("")))
        times.missed = *missed;
    if (auto overlap = queue::overlap_policy_from_string(fields["overlap"].string_or("")))
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
