#include "queue/admin/job_match.hpp"

#include <algorithm>
#include <array>

namespace postrider::queue {

namespace {

struct filtered_job {
    job_summary const& job;
    std::string_view flow;
    job_standing const& then;
};

// A field of the filter: what is empty does not restrict.
using admits = bool (*)(job_filter const&, filtered_job const&);

bool admits_text(std::string_view asked, std::string_view text) {
    return asked.empty() || asked == text;
}

bool admits_state(job_filter const& filter, filtered_job const& of) {
    if (filter.states.empty() && !filter.degraded) return true;
    if (filter.degraded && of.then.degraded) return true;
    return std::ranges::any_of(filter.states, [&](job_state state) {
        return to_string(state) == of.then.state;
    });
}

bool admits_reason(job_filter const& filter, filtered_job const& of) {
    return filter.degraded_reason.empty() ||
           (of.then.degraded && of.then.degraded_reason == filter.degraded_reason);
}

bool admits_error_class(job_filter const& filter, filtered_job const& of) {
    return admits_text(filter.error_class, of.then.error_class);
}

bool admits_kind(job_filter const& filter, filtered_job const& of) {
    return admits_text(filter.kind, of.job.kind);
}

bool admits_flow(job_filter const& filter, filtered_job const& of) {
    return admits_text(filter.flow, of.flow);
}

bool admits_lane(job_filter const& filter, filtered_job const& of) {
    return admits_text(filter.lane, of.job.lane);
}

bool admits_lane_text(job_filter const& filter, filtered_job const& of) {
    return of.job.lane.find(filter.lane_text) != std::string::npos;
}

bool admits_created(job_filter const& filter, filtered_job const& of) {
    if (!filter.created_after && !filter.created_before) return true;
    auto const created = base::from_iso8601(of.job.created_at);
    return created && (!filter.created_after || *created >= *filter.created_after) &&
           (!filter.created_before || *created < *filter.created_before);
}

constexpr std::array<admits, 5> lasting_fields{
    admits_kind, admits_flow, admits_lane, admits_lane_text, admits_created};
constexpr std::array<admits, 3> changing_fields{admits_state, admits_reason, admits_error_class};

template<std::size_t N>
bool all_admit(
    std::array<admits, N> const& fields, job_filter const& filter, filtered_job const& job
) {
    return std::ranges::all_of(fields, [&](admits field) { return field(filter, job); });
}

} // namespace

job_standing standing_of(job_summary const& job) {
    return {job.state, job.error_class, job.degraded, job.degraded_reason};
}

bool matches(
    job_filter const& filter,
    job_summary const& job,
    std::string_view flow,
    job_standing const& then
) {
    return may_match(filter, job, flow) && all_admit(changing_fields, filter, {job, flow, then});
}

bool may_match(job_filter const& filter, job_summary const& job, std::string_view flow) {
    static job_standing const none;
    return all_admit(lasting_fields, filter, {job, flow, none});
}

} // namespace postrider::queue
