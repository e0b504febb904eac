#pragma once
// Whether a job matches a filter, without the database: field by field as matching_jobs() asks the
// database. Pure.
#include "queue/admin/job_views.hpp"

#include <string>
#include <string_view>

namespace postrider::queue {

// The fields of a job that filters read and that change during its life.
struct job_standing {
    std::string state;
    std::string error_class = {};
    bool degraded = false;
    std::string degraded_reason = {};

    bool operator==(job_standing const&) const = default;
};
job_standing standing_of(job_summary const& job);

// `flow`: the one that its input names, or nothing. `then`: as it stood at some time.
bool matches(
    job_filter const& filter,
    job_summary const& job,
    std::string_view flow,
    job_standing const& then
);
// The same without the fields that change: whether it can ever match.
bool may_match(job_filter const& filter, job_summary const& job, std::string_view flow);

} // namespace postrider::queue
