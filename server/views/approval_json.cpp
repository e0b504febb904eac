#include "server/views/approval_json.hpp"

#include "server/views/json_values.hpp"

#include <boost/json/array.hpp>

namespace postrider::server {

namespace json = boost::json;

namespace {

template<class Id>
json::value id_or_null(std::optional<Id> const& id) {
    return id ? json::value(base::raw(*id)) : json::value(nullptr);
}

} // namespace

json::object approval_json(storage::approval const& approval) {
    return {
        {"approval_id", approval.id},
        {"job_id", base::raw(approval.job)},
        {"lane", approval.lane},
        {"lane_name", approval.lane_name},
        {"chat", id_or_null(approval.chat)},
        {"tool", approval.tool},
        {"arguments", approval.arguments},
        {"requester", base::raw(approval.requester)},
        {"state", approval.state},
        {"created_at", approval.created_at},
        {"expires_at", approval.expires_at},
        {"decided_at", text_or_null(approval.decided_at)},
        {"decided_by", id_or_null(approval.decided_by)},
        {"decided_via", text_or_null(approval.decided_via)}};
}

json::object approvals_json(std::vector<storage::approval> const& approvals, int limit) {
    json::array all;
    for (auto const& approval : approvals) all.push_back(approval_json(approval));
    json::object page{{"approvals", std::move(all)}};
    if (std::ssize(approvals) == limit) page["next"] = approvals.back().id;
    return page;
}

} // namespace postrider::server
