#include "agent/flow/nodes/extraction_job.hpp"

#include "base/json/json.hpp"
#include "queue/store/later.hpp"
#include "storage/stores/lanes.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace postrider::agent::flow {

// `user` and `memory_lane` are names that postrider erase looks for.
std::vector<storage::write> extract_later(extraction_request const& request) {
    queue::later_job job;
    job.lane_key = fmt::format("memory:{}", base::raw(request.lane));
    job.kind = std::string(extraction_kind);
    job.unique.emplace();
    job.unique->key = job.lane_key;
    boost::json::object input;
    input["memory_lane"] = base::raw(request.lane);
    input["until"] = base::raw(request.until);
    input["bot"] = base::raw(request.owner.bot);
    if (request.owner.user != user_id{}) input["user"] = base::raw(request.owner.user);
    if (request.owner.chat != chat_id{}) input["chat"] = base::raw(request.owner.chat);
    input["flow"] = request.flow;
    input["credential"] = request.model.credential;
    input["provider"] = request.model.provider;
    input["model"] = request.model.selected;
    job.input = std::move(input);
    return {storage::ensure_lane({.key = job.lane_key}), queue::enqueue_later(job)};
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
    request.model.credential = root["credential"].string();
    request.model.provider = root["provider"].string_or("");
    request.model.selected = root["model"].string_or("");
    if (root.failed()) return root.failure();
    return request;
}

} // namespace postrider::agent::flow
