#include "agent/flow/nodes/embedding_job.hpp"

#include "storage/stores/lanes.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::flow {

namespace {

constexpr std::string_view embedding_lane = "memory:embed";

queue::later_job embedding_job(std::string key, bool again) {
    queue::later_job job;
    job.lane_key = embedding_lane;
    job.kind = std::string(embedding_kind);
    job.unique.emplace();
    job.unique->key = std::move(key);
    job.input = boost::json::object{{"again", again}};
    return job;
}

} // namespace

std::vector<storage::write> embed_later() {
    auto job = embedding_job("memory:embed", false);
    job.unique->debounce = std::chrono::seconds{2};
    job.unique->longest_wait = std::chrono::seconds{20};
    return {storage::ensure_lane({.key = job.lane_key}), queue::enqueue_later(job)};
}

queue::later_enqueued reembed_now(storage::transaction& tx) {
    auto job = embedding_job("memory:reembed", true);
    job.lane = storage::find_or_add_lane(tx, embedding_lane, {});
    job.lane_key.clear();
    return queue::enqueue_later(tx, job);
}

} // namespace postrider::agent::flow
