#include "agent/flow/library/timetable.hpp"

#include "agent/flow/execution_input.hpp"
#include "agent/flow/lane_key.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

std::string prefix_of(std::string_view flow) {
    return "flow:" + std::string(flow) + ":";
}

queue::schedule schedule_of(
    definition const& flow, std::int64_t version, node const& trigger, schedule_opening times
) {
    queue::schedule schedule;
    schedule.name = prefix_of(flow.name) + trigger.id;
    schedule.kind = std::string(flow_kind);
    execution_input input{.flow = flow.name, .version = version, .trigger = trigger.id};
    input.data = boost::json::object{};
    schedule.input = to_json(input);
    schedule.deadline = flow.settings.timeout;
    if (auto lane = lane_key(flow, input.data); !lane.empty()) schedule.lane_key = std::move(lane);
    schedule.recurrence = std::move(times.recurrence);
    schedule.missed = times.missed;
    schedule.overlap = times.overlap;
    return schedule;
}

std::vector<queue::schedule> schedules_of(storage::transaction& tx, std::string_view flow) {
    auto all = queue::list_schedules(tx);
    auto const prefix = prefix_of(flow);
    std::erase_if(all, [&](auto const& schedule) { return !schedule.name.starts_with(prefix); });
    return all;
}

// For a single time, which has come. Where somebody has just resumed it, the scheduler has yet to end
// it anew.
bool is_over(queue::schedule const& schedule) {
    auto const& at = schedule.recurrence.at;
    return at && (schedule.ended || schedule.last_at == at);
}

} // namespace

base::result<std::vector<queue::schedule>> timetable_of(
    definition const& flow, std::int64_t version, catalog const& types
) {
    std::vector<queue::schedule> schedules;
    for (auto const& node : flow.nodes) {
        auto times = opening_of<schedule_opening>(node, types);
        if (!times) continue;
        auto schedule = schedule_of(flow, version, node, std::move(*times));
        auto const next = queue::next_times(schedule.recurrence, base::sys_time{}, 1);
        if (!next) return next.error();
        schedules.push_back(std::move(schedule));
    }
    return schedules;
}

void keep_schedules(
    storage::transaction& tx,
    std::string_view flow,
    std::vector<queue::schedule> const& schedules,
    storage::lane_manner const& lanes
) {
    for (auto const& schedule : schedules_of(tx, flow)) {
        auto const kept = std::ranges::find(schedules, schedule.name, &queue::schedule::name);
        if (kept == schedules.end() && !is_over(schedule))
            queue::remove_schedule(tx, schedule.name);
    }
    for (auto const& schedule : schedules) {
        if (schedule.lane_key) storage::ensure_lane(tx, *schedule.lane_key, lanes);
        queue::put_schedule(tx, schedule).value();
    }
}

void remove_schedules(storage::transaction& tx, std::string_view flow) {
    for (auto const& schedule : schedules_of(tx, flow)) queue::remove_schedule(tx, schedule.name);
}

} // namespace postrider::agent::flow
