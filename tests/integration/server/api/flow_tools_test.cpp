// What helps to make flows: node types, validation, previews.
#include "tests/integration/server/api/api_world.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/flow_documents.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::flow_tools_test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;

TEST(api_node_types, are_the_same_until_the_server_is_another) {
    api_world world;
    std::string const owner = std::string("Bearer ") + api_world::owner;

    auto const listed = world.get("/api/v1/node-types");
    std::string const tag(listed.headers.find("ETag"));
    auto const ask = [&](std::string const& if_none_match) {
        return world.send(
            "GET",
            "/api/v1/node-types",
            {{"Authorization", owner}, {"If-None-Match", if_none_match}}
        );
    };

    EXPECT_THAT(json::serialize(listed.body), HasSubstr("telegram.message"));
    EXPECT_EQ(tag.size(), 34u);
    EXPECT_EQ(ask(tag).status, 304);
    EXPECT_TRUE(ask(tag).body.is_null());
    EXPECT_EQ(ask("W/" + tag).status, 304);
    EXPECT_EQ(ask("\"other\"").status, 200);
}

TEST(api_expression_functions, are_those_of_the_language) {
    api_world world;
    std::string const owner = std::string("Bearer ") + api_world::owner;

    auto const listed = world.get("/api/v1/expressions/functions");
    auto const again = world.send(
        "GET",
        "/api/v1/expressions/functions",
        {{"Authorization", owner}, {"If-None-Match", std::string(listed.headers.find("ETag"))}}
    );

    EXPECT_THAT(json::serialize(listed.body), HasSubstr(R"x("signature":"value.padEnd(a, b?)")x"));
    EXPECT_EQ(again.status, 304);
}

TEST(api_validation, is_answered_200_whatever_is_wrong) {
    api_world world;
    net::header_list const token{{"Authorization", std::string("Bearer ") + api_world::owner}};

    auto const fine = world.post("/api/v1/flows/validate", manual_flow("a"));
    EXPECT_TRUE(fine.body.at("valid").as_bool());
    for (auto const* body : {"", "{", "[1]", R"({"format": 1, "name": "a", "nodes": []})"}) {
        auto const answer = world.send("POST", "/api/v1/flows/validate", token, body);
        EXPECT_EQ(answer.status, 200) << body;
        EXPECT_FALSE(answer.body.at("valid").as_bool()) << body;
        EXPECT_FALSE(answer.body.at("problems").as_array().empty()) << body;
    }
}

TEST(api_validation, knows_the_flows_that_are_published) {
    api_world world;
    auto const asked = [&](std::string_view flow) {
        auto const answer = world.post(
            "/api/v1/flows/validate",
            flow_builder("billing")
                .settings({{"error_flow", flow}})
                .trigger("In", "manual")
                .node("Call", "call_flow", {{"flow", flow}})
                .text()
        );
        return json::serialize(answer.body.at("problems"));
    };
    EXPECT_EQ(asked("billing"), "[]") << "itself";
    EXPECT_THAT(asked("ordres"), HasSubstr("unknown_flow")) << "none is published yet";

    world.post("/api/v1/flows/import?publish=true", manual_flow("orders"));

    EXPECT_EQ(asked("orders"), "[]");
    auto const unknown = asked("biling");
    EXPECT_THAT(unknown, HasSubstr("/settings/error_flow"));
    EXPECT_THAT(unknown, HasSubstr("/nodes/1/parameters/flow"));
    EXPECT_THAT(unknown, Not(HasSubstr("billing"))) << "who calls itself?";
}

json::value preview(api_world& world, json::object question) {
    auto const answer = world.post("/api/v1/expressions/preview", json::serialize(question));
    EXPECT_EQ(answer.status, 200) << json::serialize(answer.body);
    return answer.body;
}

TEST(api_preview, gives_the_value_and_its_text) {
    api_world world;
    json::object const data{
        {"json", {{"price", 20}}},
        {"vars", {{"currency", "EUR"}}},
        {"nodes", {{"Order", {{"json", {{"id", 7}}}, {"items", json::array{}}}}}}};

    auto const number = preview(world, {{"expression", "$json.price * 2"}, {"data", data}});
    auto const other = preview(world, {{"expression", "$node[\"Order\"].json.id"}, {"data", data}});
    auto const parameter = preview(
        world,
        {{"value",
          {{"text", "{{ $json.price }} {{ $vars.currency }}"}, {"n", "{{ $json.price }}"}}},
         {"data", data}}
    );

    EXPECT_EQ(number.at("value").to_number<int>(), 40);
    EXPECT_EQ(number.at("text").as_string(), "40");
    EXPECT_EQ(other.at("value").to_number<int>(), 7);
    EXPECT_EQ(parameter.at("value").at("text").as_string(), "20 EUR");
    EXPECT_EQ(parameter.at("value").at("n").to_number<int>(), 20);
}

TEST(api_preview, tells_what_is_wrong_and_where) {
    api_world world;

    auto const syntax = preview(world, {{"expression", "1 +"}});
    auto const missing =
        preview(world, {{"expression", "$json.nmae"}, {"data", {{"json", {{"name", 1}}}}}});
    auto const both = preview(world, {{"value", json::array{"{{ ( }}", "{{ ) }}"}}});

    EXPECT_GE(syntax.at("errors").at(0).at("column").as_int64(), 1);
    EXPECT_THAT(json::serialize(missing), HasSubstr("did you mean"));
    EXPECT_EQ(both.at("errors").as_array().size(), 2u);
    EXPECT_EQ(both.at("errors").at(1).at("path").as_string(), "/1");
}

TEST(api_preview, evaluates_with_what_the_last_execution_brought) {
    api_world world;
    world.database.execute(executions);
    auto const at = [&](std::string node, std::string expression) {
        return preview(world, {{"expression", expression}, {"flow", "greeting"}, {"node", node}});
    };

    EXPECT_EQ(at("ask", "$execution.id").at("value"), 52) << "the newest that came there";
    EXPECT_EQ(at("Note", "$execution.version").at("value"), 5) << "of the newest";
    EXPECT_EQ(at("Note", "$node[\"Start\"].items.size()").at("value"), 1);
    EXPECT_EQ(at("Start", "has($node[\"Note\"].json)").at("value"), false) << "it runs behind";
    auto const never = world.post(
        "/api/v1/expressions/preview", R"({"expression": "$json", "flow": "other", "node": "x"})"
    );
    EXPECT_EQ(never.status, 409);
    EXPECT_EQ(never.body.at("code").as_string(), "no_data");
}

TEST(api_preview, wants_one_question_with_one_source_of_data) {
    api_world world;
    auto const status = [&](std::string body) {
        return world.post("/api/v1/expressions/preview", std::move(body)).status;
    };

    EXPECT_EQ(status("{}"), 400);
    EXPECT_EQ(status(R"({"expression": "1", "value": 1})"), 400);
    EXPECT_EQ(status(R"({"expression": "1", "data": 1})"), 400);
    EXPECT_EQ(status(R"({"expression": "1", "data": {}, "flow": "a", "node": "b"})"), 400);
    EXPECT_EQ(status(R"({"expression": "1", "flow": "a"})"), 400);
    EXPECT_EQ(status(R"({"expression": "1", "flow": "a", "node": "b"})"), 409);
}

} // namespace
} // namespace postrider::tests::flow_tools_test
