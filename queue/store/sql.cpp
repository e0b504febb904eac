#include "queue/store/sql.hpp"

#include "base/utf8.hpp"

namespace postrider::queue {

std::string storable(std::string text) {
    text = base::as_utf8(std::move(text));
    for (auto at = text.find('\0'); at != text.npos; at = text.find('\0', at + 3))
        text.replace(at, 1, "\xEF\xBF\xBD");
    return text;
}

boost::json::value storable(boost::json::value value) {
    if (auto text = value.if_string()) {
        if (text->find('\0') != boost::json::string::npos || !base::is_utf8(*text))
            return boost::json::value(storable(std::string(text->data(), text->size())));
    } else if (auto array = value.if_array()) {
        for (auto& item : *array) item = storable(std::move(item));
    } else if (auto object = value.if_object()) {
        boost::json::object clean;
        for (auto& member : *object)
            clean[storable(std::string(member.key().data(), member.key().size()))] =
                storable(std::move(member.value()));
        return clean;
    }
    return value;
}

boost::json::value readable_json(
    storage::row const& from, std::size_t column, std::string_view part, std::string& problem
) {
    if (from.null(column)) return nullptr;
    auto value = from.try_json(column);
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
