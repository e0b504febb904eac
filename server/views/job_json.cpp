#include "server/views/job_json.hpp"

#include "server/views/json_values.hpp"

#include <boost/json/array.hpp>

namespace postrider::server {

namespace {

namespace json = boost::json;

json::object effect_json(queue::effect_summary const& effect) {
    return {
        {"key", effect.key},
        {"kind", effect.kind},
        {"class", effect.effect_class},
        {"state", effect.state},
        {"flagged", effect.flagged},
        {"request", effect.request},
        {"result", effect.result}};
}

json::object wait_json(queue::wait_summary const& wait) {
    return {
        {"key", wait.key},
        {"type", wait.type},
        {"match", or_null(wait.match)},
        {"since", text_or_null(wait.since)},
        {"until", text_or_null(wait.until)}};
}

template<class Summary>
json::array all_of(std::vector<Summary> const& from, json::object (&as)(Summary const&)) {
    json::array all;
    for (auto const& item : from) all.push_back(as(item));
    return all;
}

} // namespace

json::object job_json(queue::job_summary const& job) {
    return {
        {"job_id", job.id},
        {"lane", job.lane},
        {"kind", job.kind},
        {"state", job.state},
        {"waits_for", text_or_null(job.waiting_for)},
        {"asked", text_or_null(job.asked)},
        {"priority", job.priority},
        {"runs", job.runs},
        {"lost", job.lost},
        {"restarts", job.restarts},
        {"forked_from", or_null(job.forked_from)},
        {"created_at", job.created_at},
        {"started_at", text_or_null(job.started_at)},
        {"finished_at", text_or_null(job.finished_at)},
        {"due_at", text_or_null(job.due_at)},
        {"deadline_at", text_or_null(job.deadline_at)},
        {"age_ms", in_ms(job.age)},
        {"tokens_in", or_null(job.tokens_in)},
        {"tokens_out", or_null(job.tokens_out)},
        {"tokens_cached", or_null(job.tokens_cached)},
        {"degraded", job.degraded},
        {"degraded_reason", text_or_null(job.degraded_reason)},
        {"error_class", text_or_null(job.error_class)},
        {"error", text_or_null(job.error)}};
}

json::object job_json(queue::job_details const& job) {
    auto all = job_json(job.job);
    all["input"] = job.input;
    all["output"] = job.output;
    all["steps"] = all_of(job.steps, step_json);
    all["effects"] = all_of(job.effects, effect_json);
    all["waits"] = all_of(job.waits, wait_json);
    return all;
}

json::object step_json(queue::step_summary const& step) {
    return {
        {"seq", step.number},
        {"key", step.key},
        {"attempt", step.attempt},
        {"outcome", step.outcome},
        {"begins_ms", in_ms(step.begins)},
        {"took_ms", in_ms(step.took)},
        {"next_ms", ms_or_null(step.next)},
        {"error_class", text_or_null(step.error_class)},
        {"error", text_or_null(step.error)},
        {"result", step.result}};
}

json::object lane_json(queue::lane_summary const& lane) {
    return {
        {"lane", lane.key},
        {"status", lane.status},
        {"mailbox", lane.mailbox},
        {"ready_at", text_or_null(lane.ready_at)},
        {"waits_for", text_or_null(lane.wait_reason)},
        {"paused_at", text_or_null(lane.paused_at)},
        {"paused_by", text_or_null(lane.paused_by)},
        {"node", or_null(lane.node)},
        {"live_jobs", lane.live_jobs}};
}

json::object effect_json(queue::doubtful_effect const& doubt) {
    auto all = effect_json(doubt.effect);
    all["job_id"] = doubt.job;
    all["job_state"] = doubt.job_state;
    all["lane"] = doubt.lane;
    all["planned_at"] = doubt.planned_at;
    return all;
}

} // namespace postrider::server
