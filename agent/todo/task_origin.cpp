#include "agent/todo/task_origin.hpp"

namespace postrider::agent::todo {

boost::json::object to_json(task_origin const& origin) {
    auto json = agent::to_json(origin.at);
    json["lane"] = base::raw(origin.lane);
    return json;
}

std::optional<task_origin> task_origin_from(boost::json::object const& json) {
    if (json.empty()) return std::nullopt;
    boost::json::value const value(json);
    base::json_reader const document{value};
    task_origin origin{.at = address_from(document), .lane = lane_id{document["lane"].int64()}};
    if (document.failed() || !origin.at.is_complete()) return std::nullopt;
    return origin;
}

} // namespace postrider::agent::todo
