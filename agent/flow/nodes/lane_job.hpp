#pragma once
// A job behind a turn that asks a model: at most one of its lane lives, and its input names the model. Pure.
#include "agent/flow/parts/models.hpp"
#include "base/json/json.hpp"
#include "storage/batcher.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

// The lane is made if there is none.
std::vector<storage::write> enqueue_alone(
    std::string lane_key, std::string_view kind, boost::json::object input
);

// Of the model's part its credential, provider and own name alone.
void put_model_of_job(boost::json::object& input, model_part const& model);
model_part model_of_job(base::json_reader const& input);

} // namespace postrider::agent::flow
