#include "agent/flow/catalog.hpp"
#include "server/hooks/request_item.hpp"

#include <gtest/gtest.h>

namespace postrider::hooks::request_item_test {
namespace {

namespace json = boost::json;

net::http_request request(std::string type, std::string body) {
    net::http_request delivery;
    delivery.method = "POST";
    delivery.headers.add("Content-Type", std::move(type));
    delivery.body = std::move(body);
    return delivery;
}

json::value body_of(std::string type, std::string body) {
    return item_of(request(std::move(type), std::move(body)), "p", "X-Key").value().at("body");
}

TEST(request_item, has_the_fields_that_the_trigger_says) {
    auto const types = agent::flow::builtin_types();
    auto const& webhook = *agent::flow::started_item(*types.find("webhook"));
    auto const& fields = webhook.at("properties").as_object();

    auto const item = item_of(request("", ""), "p", "").value();

    EXPECT_EQ(item.size(), fields.size());
    for (auto const& member : item) EXPECT_TRUE(fields.contains(member.key())) << member.key();
}

TEST(request_item, has_json_where_the_type_says_so) {
    json::value const seven{{"x", 7}};

    EXPECT_EQ(body_of("application/json", R"({"x":7})"), seven);
    EXPECT_EQ(body_of("Application/JSON ; charset=utf-8", R"({"x":7})"), seven);
    EXPECT_EQ(body_of("application/cloudevents+json", R"({"x":7})"), seven);
    EXPECT_EQ(body_of("text/plain", R"({"x":7})"), json::value(R"({"x":7})"));
    EXPECT_EQ(body_of("", "a=b"), json::value("a=b"));
    EXPECT_TRUE(body_of("application/json", "").is_null());
}

TEST(request_item, is_none_where_a_text_has_a_character_that_the_database_does_not_store) {
    std::string const cut("a\0b", 3);
    for (std::string const body : {R"("\u0000")", R"({"x":[1,"a\u0000"]})", R"({"a\u0000b":1})"}) {
        auto const item = item_of(request("application/json", body), "p", "");
        ASSERT_FALSE(item) << body;
        EXPECT_EQ(item.error().detail, "the character U+0000 in the body cannot be stored");
    }
    EXPECT_FALSE(item_of(request("text/plain", cut), "p", ""));
    auto with_query = request("", "");
    with_query.query = "a=x%00";
    EXPECT_FALSE(item_of(with_query, "p", ""));
}

TEST(request_item, has_the_first_of_equal_query_parameters) {
    auto with_query = request("", "");
    with_query.query = "a=1&a=2&b&=x&&c%20d=e%3Df";

    EXPECT_EQ(
        item_of(with_query, "p", "").value().at("query"),
        (json::object{{"a", "1"}, {"b", ""}, {"", "x"}, {"c d", "e=f"}})
    );
}

TEST(request_item, leaves_out_what_proves_the_sender) {
    auto with_headers = request("text/plain", "");
    for (auto name : {"AUTHORIZATION", "Cookie", "x-key", "Proxy-Authorization"})
        with_headers.headers.add(name, "private");
    with_headers.headers.add("X-Latin", "caf\xe9");

    EXPECT_EQ(
        item_of(with_headers, "p", "X-Key").value().at("headers"),
        (json::object{{"content-type", "text/plain"}})
    );
}

} // namespace
} // namespace postrider::hooks::request_item_test
