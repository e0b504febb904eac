#include "server/api/endpoints.hpp"
#include "server/api/operation_answer.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/job_json.hpp"
#include "server/views/json_values.hpp"

#include <boost/json/array.hpp>

namespace postrider::api {

namespace {

// An operation on what the path names: a lane, a bot, or nothing for everything.
using scoped_operation = queue::operation_result (*)(storage::transaction&, std::string_view);

planned list_lanes(net::http_request const& request) {
    parameters query(request);
    queue::lane_filter filter;
    filter.status = query.text("status").value_or("");
    filter.key = query.text("lane").value_or("");
    filter.text = query.text("lane_text").value_or("");
    auto const after = query.text("cursor").value_or("");
    auto const limit = read_limit(query);
    static constexpr std::array<std::string_view, 5> statuses{
        "idle", "ready", "waiting", "running", "paused"};
    if (!filter.status.empty() && std::ranges::find(statuses, filter.status) == statuses.end())
        query.mistake("status is not idle, ready, waiting, running or paused");
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([filter, after, limit](storage::transaction& tx) {
        auto const page = queue::list_lanes(tx, filter, after, limit);
        boost::json::array lanes;
        for (auto const& lane : page) lanes.push_back(server::lane_json(lane));
        boost::json::object body{{"lanes", std::move(lanes)}};
        if (std::ssize(page) >= limit) body["next"] = page.back().key;
        return json_answer(200, body);
    });
}

planned list_pauses(net::http_request const& request) {
    parameters query(request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([](storage::transaction& tx) {
        boost::json::array pauses;
        for (auto const& pause : queue::list_pauses(tx))
            pauses.push_back(boost::json::object{{"scope", pause.scope}, {"since", pause.since}});
        return json_answer(200, {{"pauses", std::move(pauses)}});
    });
}

net::http_response scoped_answer(queue::operation_result const& result) {
    if (!result.done) return refused(result);
    boost::json::object body{
        {"scope", result.scope},
        {"state", server::text_or_null(result.state)},
        {"operation", to_json(result)},
    };
    return json_answer(status_of(result), body);
}

planned operate_on_scope(
    scoped_operation operation, std::string_view parameter, net::http_request const& request
) {
    parameters query(request);
    members body(request);
    auto const name = parameter.empty() ? "" : path_text(request, parameter, query);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    return work([operation, name](storage::transaction& tx) {
        return scoped_answer(operation(tx, name));
    });
}

planned send_event(net::http_request const& request) {
    parameters query(request);
    members body(request);
    auto const lane = path_text(request, "lane", query);
    queue::new_event event;
    event.type = body.required_text("type");
    event.payload = body.json("payload").value_or(nullptr);
    event.match = body.text("match");
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    return work([lane, event](storage::transaction& tx) {
        return scoped_answer(queue::send_lane_event(tx, lane, event));
    });
}

queue::operation_result pause_everything(storage::transaction& tx, std::string_view) {
    return queue::pause_all(tx);
}

queue::operation_result resume_everything(storage::transaction& tx, std::string_view) {
    return queue::resume_all(tx);
}

endpoint scoped(std::string pattern, std::string parameter, scoped_operation operation) {
    auto const plan = [operation, parameter = std::move(parameter)](net::http_request const& request
                      ) { return operate_on_scope(operation, parameter, request); };
    return {"POST", std::move(pattern), in_a_transaction(plan)};
}

} // namespace

std::vector<endpoint> lane_endpoints(resources const&) {
    std::vector<endpoint> endpoints{
        {"GET", "/api/v1/lanes", in_a_transaction(list_lanes)},
        {"GET", "/api/v1/pauses", in_a_transaction(list_pauses)},
        scoped("/api/v1/lanes/{lane}/pause", "lane", queue::pause_lane),
        scoped("/api/v1/lanes/{lane}/forget", "lane", queue::forget_lane),
        scoped("/api/v1/lanes/{lane}/resume", "lane", queue::resume_lane),
        {"POST", "/api/v1/lanes/{lane}/events", in_a_transaction(send_event)},
        scoped("/api/v1/bots/{bot}/pause", "bot", queue::pause_bot),
        scoped("/api/v1/bots/{bot}/resume", "bot", queue::resume_bot),
        scoped("/api/v1/pause", "", pause_everything),
        scoped("/api/v1/resume", "", resume_everything),
    };
    return endpoints;
}

} // namespace postrider::api
