#include "server/views/job_json.hpp"

#include "server/views/json_values.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

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

json::object wait_json(queue::job_wait const& wait) {
    return {
        {"cause", wait.cause},
        {"reason", wait.reason},
        {"since", wait.since},
        {"until", text_or_null(wait.until)},
        {"begins_ms", in_ms(wait.begins)},
        {"took_ms", in_ms(wait.took)},
        {"ended_by", text_or_null(wait.ended_by)}};
}

json::object lost_attempt_json(queue::lost_attempt const& lost) {
    return {
        {"run", lost.run},
        {"step", text_or_null(lost.key)},
        {"outcome", "lost"},
        {"node_id", lost.node},
        {"host", text_or_null(lost.host)},
        {"since", text_or_null(lost.since)},
        {"last_beat_at", text_or_null(lost.last_beat_at)},
        {"lost_at", lost.lost_at}};
}

template<class Summary>
json::array all_of(std::vector<Summary> const& summaries, json::object (&as)(Summary const&)) {
    json::array all;
    for (auto const& item : summaries) all.push_back(as(item));
    return all;
}

} // namespace

json::object job_json(queue::job_summary const& job) {
    return {
        {"job_id", job.id},
        {"lane", job.lane},
        {"lane_name", job.lane_name},
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
        {"took_ms", in_ms(job.took)},
        {"tokens_in", or_null(job.tokens_in)},
        {"tokens_out", or_null(job.tokens_out)},
        {"tokens_cached", or_null(job.tokens_cached)},
        {"cost", cents_or_null(job.cost_micro)},
        {"said", or_null(job.said)},
        {"degraded", job.degraded},
        {"degraded_reason", text_or_null(job.degraded_reason)},
        {"error_class", text_or_null(job.error_class)},
        {"error", text_or_null(job.error)}};
}

json::object job_json(queue::job_details const& job, std::vector<queue::job_wait> const& waited) {
    auto result = job_json(queue::with_payments(job));
    result["said"] = or_null(job.said);
    result["said_by"] = job.said_by;
    result["input"] = job.input;
    result["output"] = job.output;
    result["steps"] = all_of(job.steps, step_json);
    result["effects"] = all_of(job.effects, effect_json);
    result["waits"] = all_of<queue::wait_summary>(job.waits, wait_json);
    result["waited"] = all_of<queue::job_wait>(waited, wait_json);
    result["lost_attempts"] = all_of(job.lost_attempts, lost_attempt_json);
    return result;
}

json::array cut_places(queue::job_details const& job) {
    json::array cut;
    auto const add = [&](bool is_cut, std::string place) {
        if (is_cut) cut.emplace_back(std::move(place));
    };
    add(job.input_cut, "/input");
    add(job.output_cut, "/output");
    for (std::size_t i = 0; i < job.steps.size(); ++i)
        add(job.steps[i].result_cut, fmt::format("/steps/{}/result", i));
    for (std::size_t i = 0; i < job.effects.size(); ++i) {
        add(job.effects[i].request_cut, fmt::format("/effects/{}/request", i));
        add(job.effects[i].result_cut, fmt::format("/effects/{}/result", i));
    }
    return cut;
}

json::object step_json(queue::step_summary const& step) {
    auto const& paid = step.paid;
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
        {"result", step.result},
        {"model", text_or_null(step.model)},
        {"tokens_in", paid ? json::value(paid->tokens_in) : json::value()},
        {"tokens_out", paid ? json::value(paid->tokens_out) : json::value()},
        {"tokens_cached", paid ? json::value(paid->tokens_cached) : json::value()},
        {"cost", paid ? cents_or_null(paid->cost_micro) : json::value()}};
}

json::object lane_json(queue::lane_summary const& lane) {
    return {
        {"lane", lane.key},
        {"lane_name", lane.name},
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
    auto result = effect_json(doubt.effect);
    result["job_id"] = doubt.job;
    result["job_state"] = doubt.job_state;
    result["lane"] = doubt.lane;
    result["lane_name"] = doubt.lane_name;
    result["planned_at"] = doubt.planned_at;
    return result;
}

} // namespace postrider::server
