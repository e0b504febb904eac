#include "server/api/own_conversations.hpp"

#include "base/setting.hpp"
#include "server/api/conversation_json.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "storage/stores/lanes.hpp"

#include <boost/json/array.hpp>

namespace postrider::api {

namespace {

net::http_response answer_of(storage::deletion outcome, std::string const& id) {
    if (outcome == storage::deletion::not_found) return no_conversation();
    if (outcome == storage::deletion::deleted) return json_answer(200, {{"deleted", id}});
    return net::http_response::problem(
        409, "running", "a turn of it runs: nothing was deleted, try again once it is over"
    );
}

// Who can be named: the agents of the configuration, and flows with a chat trigger; one of both once.
// On the loop, so no more than a person could mean.
std::vector<std::string> chat_partners(shared_services const& services) {
    constexpr std::size_t most_named = 200;
    std::vector<std::string> names;
    for (auto const& agent : services->agents) names.push_back(agent.first);
    auto const& starts = services->flows.starts();
    for (auto& name : services->flows.names()) {
        if (names.size() >= most_named) break;
        if (services->agents.contains(name)) continue;
        if (auto const target = starts.conversation(name); target && target->flow == name)
            names.push_back(std::move(name));
    }
    return names;
}

} // namespace

planned begin_conversation(
    shared_services const& services, net::http_request const& request, caller const& caller
) {
    parameters query(request);
    members body(request);
    storage::api_conversation conversation;
    conversation.agent = body.text("agent", 100).value_or("");
    auto const answering = services->flows.starts().conversation(conversation.agent);
    bool const is_known = conversation.agent.empty() ||
                          services->agents.contains(conversation.agent) ||
                          (answering && answering->flow == conversation.agent);
    if (!is_known)
        body.mistake(
            "agent: there is no " + conversation.agent + " that can chat" +
            base::suggestion(conversation.agent, chat_partners(services))
        );
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    conversation.id = base::uuid4(services->random);
    conversation.user = caller.user;
    return work([conversation](storage::transaction& tx) mutable {
        conversation.lane = storage::ensure_lane(tx, storage::lane_key_of(conversation.id), {});
        storage::add_conversation(tx, conversation);
        auto answer = json_answer(201, {{"conversation_id", conversation.id}});
        answer.headers.add("Location", "/api/v1/conversations/" + conversation.id + "/messages");
        return answer;
    });
}

planned list_chat_partners(shared_services const& services, net::http_request const& request) {
    parameters query(request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    boost::json::array partners;
    for (auto const& name : chat_partners(services)) {
        boost::json::object partner;
        partner["name"] = name;
        partners.push_back(std::move(partner));
    }
    boost::json::object body;
    body["chat_partners"] = std::move(partners);
    return json_answer(200, body);
}

planned list_conversations(net::http_request const& request, caller const& caller) {
    parameters query(request);
    std::optional<lane_id> below;
    if (auto const cursor = query.text("cursor")) {
        auto const lane = id_from(*cursor);
        if (!lane) query.mistake(std::string(wrong_cursor));
        below = lane_id{lane.value_or(0)};
    }
    auto const limit = static_cast<std::size_t>(read_limit(query));
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([user = caller.user, below, limit](storage::transaction& tx) {
        auto listed = storage::list_conversations(tx, user, below, limit + 1);
        bool const has_more = listed.size() > limit;
        if (has_more) listed.pop_back();
        boost::json::array conversations;
        for (auto const& entry : listed) conversations.push_back(to_json(entry));
        boost::json::object body{{"conversations", std::move(conversations)}};
        if (has_more) body["next"] = base::to_string(listed.back().conversation.lane);
        return json_answer(200, body);
    });
}

planned delete_conversation(net::http_request const& request, caller const& caller) {
    parameters query(request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    std::string const id(request.param("id"));
    if (!is_conversation_id(id)) return no_conversation();
    return work([id, user = caller.user](storage::transaction& tx) {
        return answer_of(storage::delete_conversation(tx, id, user), id);
    });
}

} // namespace postrider::api
