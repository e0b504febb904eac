#include "queue/store/sql.hpp"

namespace postrider::queue {

boost::json::value readable_json(
    storage::row const& row, std::size_t column, std::string_view part, std::string& problem
) {
    if (row.null(column)) return nullptr;
    auto value = row.try_json(column);
    if (value) return std::move(*value);
    problem = std::string(part) + " cannot be read: " + value.error().detail;
    return nullptr;
}

queue::job read_job(storage::row const& returned, std::size_t first) {
    queue::job job;
    job.id = returned.id<job_id>(first);
    job.lane = returned.id<lane_id>(first + 1);
    job.conversation = returned.id<conversation_id>(first + 2);
    job.arrival = returned.int64(first + 3);
    job.run_no = static_cast<int>(returned.int64(first + 4));
    job.lost = static_cast<int>(returned.int64(first + 5));
    job.kind = returned.text(first + 6);
    job.input = readable_json(returned, first + 7, "its input", job.unreadable);
    job.version = static_cast<int>(returned.int64(first + 8));
    job.restarts = static_cast<int>(returned.int64(first + 9));
    if (auto asked = returned.optional_text(first + 10))
        job.asked = control_request_from_string(*asked);
    job.rolling_back = readable_json(returned, first + 11, "its stored ending", job.unreadable);
    if (auto left = returned.optional_int64(first + 12))
        job.time_left = std::chrono::milliseconds{*left};
    job.begun_before = returned.boolean(first + 13);
    job.age = std::chrono::milliseconds{returned.int64(first + 14)};
    return job;
}

} // namespace postrider::queue
