#include "tests/integration/server/api/conversations_world.hpp"

#include "net/digest.hpp"
#include "server/start/shipped_flows.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace postrider::tests {

namespace json = boost::json;

conversations::conversations() {
    server.serve(rest.routes());
    for (auto const& [name, user] : {std::pair("alice", 7), std::pair("bob", 8)}) {
        auto const token = mint.make_token(base::system_random());
        tokens[name] = token.reveal();
        database.execute(
            "insert into postrider.token (user_id, role, sha256) values (" + std::to_string(user) +
            ", 'user', '\\x" + api::hash_of(token) + "')"
        );
    }
    server.publish(server::assistant_flow());
}

api::resources conversations::resources() {
    api::resources all{base::system_random(), {{&server.types, {}}}};
    all.conversations.emplace(api::conversation_services{
        server.library,
        agents,
        waiting,
        base::system_random(),
        server.executions(),
        *server.postgres.reads,
        server.nodes(),
        server.live});
    all.executions.emplace(api::execution_services{server.nodes(), server.live, server.types});
    return all;
}

json::value conversations::ask(
    int status, std::string method, std::string path, std::string body, std::string who
) {
    auto const answer = server.send(
        std::move(method),
        "/api/v1/conversations" + path,
        {{"Authorization", "Bearer " + tokens.at(who)}},
        std::move(body)
    );
    EXPECT_EQ(answer.status, status) << path << answer.body;
    return json::parse(answer.body);
}

std::string conversations::begin(std::string agent) {
    json::object query;
    if (!agent.empty()) query["agent"] = agent;
    auto const conversation = ask(201, "POST", "", json::serialize(query));
    return "/" + std::string(conversation.at("conversation_id").as_string()) + "/messages";
}

std::string conversations::reply_to(std::string const& where, std::string text) {
    auto const body = json::serialize(json::object{{"text", text}});
    return std::string(ask(200, "POST", where + "?wait=20", body).at("reply").as_string());
}

json::array conversations::messages(std::string const& where) {
    return ask(200, "GET", where, "").at("messages").as_array();
}

} // namespace postrider::tests
