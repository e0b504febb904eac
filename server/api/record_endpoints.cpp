// What is kept of chats: the messages of lanes, and updates that could not be used.
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/record_json.hpp"

#include <boost/json/array.hpp>

namespace postrider::api {

namespace {

planned list_lane_messages(net::http_request const& request) {
    parameters query(request);
    auto const lane = path_text(request, "lane", query);
    storage::lane_message_place before;
    if (auto const cursor = query.text("cursor")) {
        auto const place = server::lane_message_place_from(*cursor);
        if (!place) query.mistake(std::string(wrong_cursor));
        before = place.value_or(before);
    }
    auto const limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([lane, before, limit](storage::transaction& tx) {
        auto const id = storage::find_lane_of_key(tx, lane);
        if (!id) return net::http_response::problem(404, "not_found", "there is no lane " + lane);
        auto const page = storage::list_lane_messages(tx, *id, before, limit);
        boost::json::array messages;
        for (auto const& message : page) messages.push_back(server::lane_message_json(message));
        boost::json::object body{{"messages", std::move(messages)}};
        if (std::ssize(page) >= limit) body["next"] = server::cursor_of(page.back().at);
        return json_answer(200, body);
    });
}

planned list_updates(net::http_request const& request) {
    parameters query(request);
    if (auto const disposition = query.text("disposition");
        disposition && *disposition != "rejected")
        query.mistake("disposition is not rejected: the contents of others are not kept");
    storage::update_place before;
    if (auto const cursor = query.text("cursor")) {
        auto const place = server::update_place_from(*cursor);
        if (!place) query.mistake(std::string(wrong_cursor));
        before = place.value_or(before);
    }
    auto const limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([before, limit](storage::transaction& tx) {
        auto const page = storage::list_rejected_updates(tx, before, limit);
        boost::json::array updates;
        for (auto const& update : page) updates.push_back(server::rejected_update_json(update));
        boost::json::object body{{"updates", std::move(updates)}};
        if (std::ssize(page) >= limit) body["next"] = server::cursor_of(page.back().at);
        return json_answer(200, body);
    });
}

} // namespace

std::vector<endpoint> record_endpoints(resources const&) {
    return {
        {"GET", "/api/v1/lanes/{lane}/messages", in_a_transaction(list_lane_messages)},
        {"GET", "/api/v1/updates", in_a_transaction(list_updates)}};
}

} // namespace postrider::api
