#include "agent/flow/nodes/summary_job.hpp"

#include "base/json/json.hpp"
#include "queue/store/later.hpp"
#include "storage/stores/lanes.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::flow {

// `user` is a name that postrider erase looks for.
std::vector<storage::write> summarise_later(summary_request const& request) {
    queue::later_job job;
    job.lane_key = "summary:" + request.session;
    job.kind = std::string(summary_kind);
    job.unique.emplace();
    job.unique->key = job.lane_key;
    boost::json::object input;
    input["session"] = request.session;
    input["flow"] = request.flow;
    input["window"] = request.window;
    if (request.user != user_id{}) input["user"] = base::raw(request.user);
    input["credential"] = request.model.credential;
    input["provider"] = request.model.provider;
    input["model"] = request.model.selected;
    job.input = std::move(input);
    return {storage::ensure_lane({.key = job.lane_key}), queue::enqueue_later(job)};
}

base::result<summary_request> summary_request_from(boost::json::value const& input) {
    base::json_reader const root{input};
    summary_request request;
    request.session = root["session"].string();
    request.flow = root["flow"].string();
    request.window = static_cast<int>(root["window"].int64());
    request.user = user_id{root["user"].int64_or(0)};
    request.model.credential = root["credential"].string();
    request.model.provider = root["provider"].string_or("");
    request.model.selected = root["model"].string_or("");
    if (root.failed()) return root.failure();
    return request;
}

} // namespace postrider::agent::flow
