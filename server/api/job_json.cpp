#include "server/api/job_json.hpp"

#include "server/api/problem.hpp"

#include <boost/json/array.hpp>

namespace postrider::api {

namespace {

namespace json = boost::json;

json::value text_or_null(std::string const& text) {
    return text.empty() ? json::value() : json::value(text);
}

json::value number_or_null(std::optional<std::int64_t> number) {
    return number ? json::value(*number) : json::value();
}

double in_ms(std::chrono::microseconds d) {
    return std::chrono::duration<double, std::milli>(d).count();
}

json::object to_json(queue::step_summary const& step) {
    return {
        {"seq", step.number},
        {"key", step.key},
        {"attempt", step.attempt},
        {"outcome", step.outcome},
        {"begins_ms", in_ms(step.begins)},
        {"took_ms", in_ms(step.took)},
        {"next_ms", step.next ? json::value(in_ms(*step.next)) : json::value()},
        {"error_class", text_or_null(step.error_class)},
        {"error", text_or_null(step.error)},
        {"result", step.result}};
}

json::object to_json(queue::effect_summary const& effect) {
    return {
        {"key", effect.key},
        {"kind", effect.kind},
        {"class", effect.how},
        {"state", effect.state},
        {"flagged", effect.flagged},
        {"request", effect.request},
        {"result", effect.result}};
}

json::object to_json(queue::wait_summary const& wait) {
    return {
        {"key", wait.key},
        {"type", wait.type},
        {"match", wait.match ? json::value(*wait.match) : json::value()},
        {"since", text_or_null(wait.since)},
        {"until", text_or_null(wait.until)}};
}

template<class Summary>
json::array all_of(std::vector<Summary> const& from) {
    json::array all;
    for (auto const& each : from) all.push_back(to_json(each));
    return all;
}

} // namespace

json::object to_json(queue::job_summary const& job) {
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
        {"forked_from", number_or_null(job.forked_from)},
        {"created_at", job.created_at},
        {"started_at", text_or_null(job.started_at)},
        {"finished_at", text_or_null(job.finished_at)},
        {"due_at", text_or_null(job.due_at)},
        {"deadline_at", text_or_null(job.deadline_at)},
        {"age_ms", in_ms(job.age)},
        {"tokens_in", number_or_null(job.tokens_in)},
        {"tokens_out", number_or_null(job.tokens_out)},
        {"error_class", text_or_null(job.error_class)},
        {"error", text_or_null(job.error)}};
}

json::object to_json(queue::job_details const& job) {
    auto all = to_json(job.job);
    all["input"] = job.input;
    all["output"] = job.output;
    all["steps"] = all_of(job.steps);
    all["effects"] = all_of(job.effects);
    all["waits"] = all_of(job.waits);
    return all;
}

json::object to_json(queue::lane_summary const& lane) {
    return {
        {"lane", lane.key},
        {"status", lane.status},
        {"mailbox", lane.mailbox},
        {"ready_at", text_or_null(lane.ready_at)},
        {"waits_for", text_or_null(lane.wait_reason)},
        {"paused_at", text_or_null(lane.paused_at)},
        {"paused_by", text_or_null(lane.paused_by)},
        {"node", number_or_null(lane.node)},
        {"live_jobs", lane.live_jobs}};
}

json::object to_json(queue::doubtful_effect const& doubt) {
    auto all = to_json(doubt.effect);
    all["job_id"] = doubt.job;
    all["job_state"] = doubt.job_state;
    all["lane"] = doubt.lane;
    all["planned_at"] = doubt.planned_at;
    return all;
}

json::object to_json(queue::pause_summary const& pause) {
    return {{"scope", pause.scope}, {"since", pause.since}};
}

json::object to_json(queue::operation_result const& what) {
    return {{"code", what.code}, {"detail", what.detail}};
}

net::http_response refused(queue::operation_result const& why) {
    if (why.code == "invalid") return invalid({why.detail});
    return net::http_response::problem(why.code == "not_found" ? 404 : 409, why.code, why.detail);
}

int status_of(queue::operation_result const& done, bool fresh) {
    if (fresh) return 201;
    return done.code == "asked" ? 202 : 200;
}

} // namespace postrider::api
