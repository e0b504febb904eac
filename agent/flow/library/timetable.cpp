#include "agent/flow/library/timetable.hpp"

#include "agent/flow/start/execution_input.hpp"
#include "agent/flow/start/lane_key.hpp"
#include "base/json.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

std::string prefix_of(std::string_view flow) {
    return "flow:" + std::string(flow) + ":";
}

// Words that were not validated mean what nothing written means.
queue::schedule schedule_of(definition const& flow, std::int64_t version, node const& trigger) {
    boost::json::value const parameters(trigger.parameters);
    base::json_reader const from(parameters);
    queue::schedule made;
    made.name = prefix_of(flow.name) + trigger.id;
    made.kind = std::string(flow_kind);
    execution_input input{.flow = flow.name, .version = version, .trigger = trigger.id};
    input.data = boost::json::object{};
    made.input = to_json(input);
    made.deadline = flow.settings.timeout;
    if (auto lane = lane_key(flow, input.data); !lane.empty()) made.lane_key = std::move(lane);
    if (from["cron"]) made.recurrence.cron = from["cron"].string_or("");
    if (from["at"]) made.recurrence.at = base::from_iso8601(from["at"].string_or(""));
    made.recurrence.timezone = from["timezone"].string_or("UTC");
    if (auto missed = queue::missed_policy_from_string(from["missed"].string_or("")))
        made.missed = *missed;
    if (auto overlap = queue::overlap_policy_from_string(from["overlap"].string_or("")))
        made.overlap = *overlap;
    return made;
}

} // namespace

base::result<std::vector<queue::schedule>> timetable_of(
    definition const& flow, std::int64_t version
) {
    std::vector<queue::schedule> all;
    for (auto const& node : flow.nodes) {
        if (node.disabled || node.type != "schedule") continue;
        auto made = schedule_of(flow, version, node);
        auto const times = queue::next_times(made.recurrence, base::sys_time{}, 1);
        if (!times) return times.error();
        all.push_back(std::move(made));
    }
    return all;
}

void keep_schedules(
    storage::transaction& tx,
    std::string_view flow,
    std::vector<queue::schedule> const& wanted,
    storage::lane_manner const& lanes
) {
    auto const prefix = prefix_of(flow);
    for (auto const& each : queue::list_schedules(tx)) {
        bool const gone =
            std::ranges::find(wanted, each.name, &queue::schedule::name) == wanted.end();
        if (gone && each.name.starts_with(prefix)) queue::remove_schedule(tx, each.name);
    }
    for (auto const& each : wanted) {
        if (each.lane_key) storage::ensure_lane(tx, *each.lane_key, lanes);
        queue::put_schedule(tx, each).value();
    }
}

} // namespace postrider::agent::flow
