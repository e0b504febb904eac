// Two flows do not take one webhook.
#include "tests/integration/server/api/api_world.hpp"
#include "tests/support/flow_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::flow_webhooks_test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

std::string text(json::value const& value, std::string_view name) {
    return std::string(value.at(name).as_string());
}

std::string with_webhook(std::string_view name, json::object parameters = {}) {
    parameters["path"] = "orders/new";
    parameters["secret"] = "shop";
    return flow_builder(name).trigger("In", "webhook", std::move(parameters)).text();
}

TEST(api_flow_webhooks, that_another_flow_has_cannot_be_published) {
    api_world world;
    auto const publish = [&](std::string document) {
        return world.post("/api/v1/flows/import?publish=true", std::move(document));
    };
    EXPECT_EQ(publish(with_webhook("orders")).status, 201);

    auto const rival = publish(with_webhook("aaa"));

    EXPECT_EQ(rival.code(), "invalid_flow");
    auto const& problem = rival.body.at("problems").at(0);
    EXPECT_EQ(text(problem, "code"), "path_taken");
    EXPECT_EQ(text(problem, "path"), "/nodes/0/parameters/path");
    EXPECT_EQ(text(problem, "node"), "In");
    EXPECT_THAT(text(problem, "message"), HasSubstr("POST /hooks/orders/new"));
    EXPECT_THAT(text(problem, "hint"), HasSubstr("archive orders"));
    EXPECT_EQ(world.get("/api/v1/flows/aaa").status, 404);
    EXPECT_EQ(publish(with_webhook("other-method", {{"method", "PUT"}})).status, 201);
    EXPECT_EQ(publish(with_webhook("orders", {{"respond", "at_once"}})).status, 200) << "its own";
}

// Whoever is told that a flow is published, or is not any more, may count on it at once.
TEST(api_flow_webhooks, are_in_force_when_their_change_is_answered) {
    api_world world;
    auto const taken = [&] { return world.flows().starts().webhook("POST", "orders/new"); };
    world.post("/api/v1/flows/import?publish=true", with_webhook("orders"));
    EXPECT_NE(taken(), nullptr);
    world.post("/api/v1/flows/orders/archive");
    EXPECT_EQ(taken(), nullptr);
    world.post("/api/v1/flows/orders/unarchive");
    EXPECT_NE(taken(), nullptr);
}

TEST(api_flow_webhooks, keep_a_flow_archived_while_another_has_them) {
    api_world world;
    world.post("/api/v1/flows/import?publish=true", with_webhook("orders"));
    world.post("/api/v1/flows/orders/archive");
    EXPECT_EQ(world.post("/api/v1/flows/import?publish=true", with_webhook("shop")).status, 201);

    auto const refused = world.post("/api/v1/flows/orders/unarchive");

    EXPECT_EQ(refused.status, 409);
    EXPECT_EQ(refused.code(), "path_taken");
    EXPECT_THAT(text(refused.body, "detail"), HasSubstr("archive shop"));
    EXPECT_FALSE(world.get("/api/v1/flows/orders").body.at("archived_at").is_null());
    EXPECT_EQ(world.post("/api/v1/flows/shop/unarchive").status, 200) << "it is not archived";
    world.post("/api/v1/flows/shop/archive");
    EXPECT_EQ(world.post("/api/v1/flows/orders/unarchive").status, 200);
}

} // namespace
} // namespace postrider::tests::flow_webhooks_test
