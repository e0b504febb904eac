#include "queue/sql.hpp"

#include <algorithm>

namespace postrider::queue {

std::string storable(std::string text) {
    for (auto at = text.find('\0'); at != text.npos; at = text.find('\0', at + 3))
        text.replace(at, 1, "\xEF\xBF\xBD");
    return text;
}

namespace {

namespace json = boost::json;

bool holds_nul(std::string_view text) noexcept {
    return text.find('\0') != text.npos;
}

bool holds_nul(json::value const& value) noexcept {
    if (auto const* text = value.if_string()) return holds_nul(std::string_view(*text));
    if (auto const* array = value.if_array())
        return std::ranges::any_of(*array, [](auto const& item) { return holds_nul(item); });
    if (auto const* object = value.if_object())
        return std::ranges::any_of(*object, [](auto const& member) {
            return holds_nul(std::string_view(member.key())) || holds_nul(member.value());
        });
    return false;
}

json::value without_nul(json::value value) {
    if (auto text = value.if_string())
        return json::value(storable(std::string(text->data(), text->size())));
    if (auto array = value.if_array())
        for (auto& item : *array) item = without_nul(std::move(item));
    if (auto object = value.if_object()) {
        json::object clean;
        for (auto& member : *object)
            clean[storable(std::string(member.key()))] = without_nul(std::move(member.value()));
        return clean;
    }
    return value;
}

} // namespace

json::value storable(json::value value) {
    if (!holds_nul(value)) return value;
    return without_nul(std::move(value));
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
    if (!returned.null(first + 7)) job.input = returned.json(first + 7);
    job.version = static_cast<int>(returned.int64(first + 8));
    job.restarts = static_cast<int>(returned.int64(first + 9));
    if (auto asked = returned.optional_text(first + 10)) job.asked = demand_from_string(*asked);
    if (!returned.null(first + 11)) job.rolling_back = returned.json(first + 11);
    if (auto left = returned.optional_int64(first + 12))
        job.time_left = std::chrono::milliseconds{*left};
    job.begun_before = returned.boolean(first + 13);
    return job;
}

} // namespace postrider::queue
