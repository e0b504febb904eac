#include "agent/flow/nodes/lane_job.hpp"

#include "queue/store/later.hpp"
#include "storage/stores/lanes.hpp"

#include <utility>

namespace postrider::agent::flow {

std::vector<storage::write> enqueue_alone(
    std::string lane_key, std::string_view kind, boost::json::object input
) {
    queue::later_job job;
    job.lane_key = std::move(lane_key);
    job.kind = std::string(kind);
    job.unique.emplace();
    job.unique->key = job.lane_key;
    job.input = std::move(input);
    return {storage::ensure_lane({.key = job.lane_key}), queue::enqueue_later(job)};
}

void put_model_of_job(boost::json::object& input, model_part const& model) {
    input["credential"] = model.credential;
    input["provider"] = model.provider;
    input["model"] = model.selected;
}

model_part model_of_job(base::json_reader const& input) {
    model_part model;
    model.credential = input["credential"].string();
    model.provider = input["provider"].string_or("");
    model.selected = input["model"].string_or("");
    return model;
}

} // namespace postrider::agent::flow
