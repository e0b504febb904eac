#include "agent/flow/nodes/embedding_job.hpp"

#include "base/json/json.hpp"
#include "storage/stores/lanes.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

constexpr std::string_view embedding_lane = "memory:embed";

queue::later_job embedding_job(std::string key, embedding_request const& request) {
    queue::later_job job;
    job.lane_key = embedding_lane;
    job.kind = std::string(embedding_kind);
    job.unique.emplace();
    job.unique->key = std::move(key);
    job.input = boost::json::object{
        {"again", request.again},
        {"after", request.after},
        {"memories", request.memories},
        {"refused", request.refused},
        {"part", request.part},
        {"model", request.model}};
    return job;
}

} // namespace

embedding_request embedding_request_from(boost::json::value const& input) {
    base::json_reader const root{input};
    return {
        .again = root["again"].boolean_or(false),
        .after = root["after"].int64_or(0),
        .memories = root["memories"].int64_or(0),
        .refused = root["refused"].int64_or(0),
        .part = root["part"].int64_or(0),
        .model = root["model"].string_or("")};
}

std::vector<storage::write> embed_later() {
    auto job = embedding_job("memory:embed", {});
    job.unique->debounce = std::chrono::seconds{2};
    job.unique->longest_wait = std::chrono::seconds{20};
    return {storage::ensure_lane({.key = job.lane_key}), queue::enqueue_later(job)};
}

// The job before has its own key until this commit. One that makes all anew is never taken for one that does not.
std::vector<storage::write> embed_further(job_id before, embedding_request const& done) {
    auto next = done;
    ++next.part;
    auto const* const kind = next.again ? "again" : "missing";
    auto job = embedding_job(fmt::format("memory:embed:{}:{}", kind, next.part % 2), next);
    job.while_running = before;
    return {storage::ensure_lane({.key = job.lane_key}), queue::enqueue_later(job)};
}

// One of another model that still lives is no reason to make none of this one.
queue::later_enqueued reembed_now(storage::transaction& tx, std::string_view model) {
    auto job = embedding_job(fmt::format("memory:reembed:{}", model), {.again = true});
    job.lane = storage::find_or_add_lane(tx, embedding_lane, {});
    job.lane_key.clear();
    return queue::enqueue_later(tx, job);
}

} // namespace postrider::agent::flow
