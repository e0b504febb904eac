#include "agent/flow/nodes/extraction_job.hpp"

#include "agent/flow/nodes/lane_job.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace postrider::agent::flow {

// `user` and `memory_lane` are names that postrider erase looks for.
std::vector<storage::write> extract_later(extraction_request const& request) {
    boost::json::object input;
    input["memory_lane"] = base::raw(request.lane);
    input["until"] = base::raw(request.until);
    input["bot"] = base::raw(request.owner.bot);
    if (request.owner.user != user_id{}) input["user"] = base::raw(request.owner.user);
    if (request.owner.chat != chat_id{}) input["chat"] = base::raw(request.owner.chat);
    input["flow"] = request.flow;
    put_model_of_job(input, request.model);
    return enqueue_alone(
        fmt::format("memory:{}", base::raw(request.lane)), extraction_kind, std::move(input)
    );
}

base::result<extraction_request> extraction_request_from(boost::json::value const& input) {
    base::json_reader const root{input};
    extraction_request request;
    request.lane = lane_id{root["memory_lane"].int64()};
    request.until = job_id{root["until"].int64()};
    request.owner.bot = bot_id{root["bot"].int64()};
    request.owner.user = user_id{root["user"].int64_or(0)};
    request.owner.chat = chat_id{root["chat"].int64_or(0)};
    request.flow = root["flow"].string();
    request.model = model_of_job(root);
    if (root.failed()) return root.failure();
    return request;
}

} // namespace postrider::agent::flow
