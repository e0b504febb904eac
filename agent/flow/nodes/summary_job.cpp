#include "agent/flow/nodes/summary_job.hpp"

#include "agent/flow/nodes/lane_job.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::flow {

// `user` is a name that postrider erase looks for.
std::vector<storage::write> summarise_later(summary_request const& request) {
    boost::json::object input;
    input["session"] = request.session;
    input["flow"] = request.flow;
    input["window"] = request.window;
    if (request.user != user_id{}) input["user"] = base::raw(request.user);
    put_model_of_job(input, request.model);
    return enqueue_alone("summary:" + request.session, summary_kind, std::move(input));
}

base::result<summary_request> summary_request_from(boost::json::value const& input) {
    base::json_reader const root{input};
    summary_request request;
    request.session = root["session"].string();
    request.flow = root["flow"].string();
    request.window = static_cast<int>(root["window"].int64());
    request.user = user_id{root["user"].int64_or(0)};
    request.model = model_of_job(root);
    if (root.failed()) return root.failure();
    return request;
}

} // namespace postrider::agent::flow
