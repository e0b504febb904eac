#include "net/router.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace postrider::net::router_test {
namespace {

route to(std::string method, std::string pattern) {
    route result;
    result.method = std::move(method);
    result.pattern = std::move(pattern);
    return result;
}

router const& table() {
    static router const routes{{
        to("GET", "/"),
        to("GET", "/health"),
        to("POST", "/telegram/{bot}"),
        to("GET", "/jobs/{id}"),
        to("DELETE", "/jobs/{id}"),
        to("GET", "/jobs/{id}/steps/{step}"),
        to("GET", "/docs/"),
        to("", "/hooks/{path...}"),
    }};
    return routes;
}

std::string pattern_of(std::string_view method, std::string_view path) {
    auto found = table().find(method, path);
    auto match = std::get_if<router::match>(&found);
    return match ? match->to->pattern : std::to_string(std::get<http_response>(found).status);
}

TEST(router, finds_the_route_of_a_path) {
    EXPECT_EQ(pattern_of("GET", "/"), "/");
    EXPECT_EQ(pattern_of("GET", "/health"), "/health");
    EXPECT_EQ(pattern_of("POST", "/telegram/main"), "/telegram/{bot}");
    EXPECT_EQ(pattern_of("GET", "/jobs/7/steps/a"), "/jobs/{id}/steps/{step}");
    EXPECT_EQ(pattern_of("GET", "/docs/"), "/docs/");
}

TEST(router, gives_a_parameter_all_the_rest_of_the_path) {
    auto const rest = [](std::string_view path) {
        auto found = table().find("PUT", path);
        return std::get<router::match>(found).params.at("path");
    };

    EXPECT_EQ(rest("/hooks/orders"), "orders");
    EXPECT_EQ(rest("/hooks/orders/new/"), "orders/new/");
    EXPECT_EQ(rest("/hooks/a%20b//c"), "a b//c");
    EXPECT_EQ(pattern_of("GET", "/hooks"), "404");
    EXPECT_EQ(pattern_of("GET", "/hooks/"), "404");
    EXPECT_EQ(pattern_of("GET", "/hooks/%"), "400");
}

TEST(router, leaves_every_method_to_a_route_without_one) {
    for (auto method : {"GET", "HEAD", "POST", "OPTIONS", "PURGE"})
        EXPECT_EQ(pattern_of(method, "/hooks/orders"), "/hooks/{path...}") << method;
}

TEST(router, answers_404_for_everything_else) {
    for (auto path :
         {"",
          "health",
          "/healt",
          "/health/",
          "/healthy",
          "//health",
          "/jobs",
          "/jobs/",
          "/jobs//steps/a",
          "/jobs/7/steps",
          "/jobs/7/steps/a/b",
          "/docs",
          "/HEALTH"})
        EXPECT_EQ(pattern_of("GET", path), "404") << path;
}

TEST(router, answers_405_and_says_what_is_allowed) {
    auto found = table().find("PUT", "/jobs/7");

    auto const& answer = std::get<http_response>(found);
    EXPECT_EQ(answer.status, 405);
    EXPECT_EQ(answer.headers.find("Allow"), "GET, HEAD, DELETE, OPTIONS");
}

TEST(router, names_a_method_once_that_several_routes_have) {
    router const routes{{to("GET", "/"), to("GET", "/"), to("PUT", "/")}};

    auto found = routes.find("POST", "/");

    auto const& answer = std::get<http_response>(found);
    EXPECT_EQ(answer.headers.find("Allow"), "GET, HEAD, PUT, OPTIONS");
}

TEST(router, tells_what_is_allowed_when_asked) {
    auto found = table().find("OPTIONS", "/jobs/7");

    auto const& answer = std::get<http_response>(found);
    EXPECT_EQ(answer.status, 204);
    EXPECT_EQ(answer.headers.find("Allow"), "GET, HEAD, DELETE, OPTIONS");
    EXPECT_EQ(pattern_of("OPTIONS", "/nothing"), "404");
}

TEST(router, serves_head_by_the_route_of_get) {
    EXPECT_EQ(pattern_of("HEAD", "/jobs/7"), "/jobs/{id}");
    EXPECT_EQ(pattern_of("HEAD", "/telegram/main"), "405");
}

TEST(router, decodes_parameters_after_matching) {
    auto found = table().find("GET", "/jobs/a%2Fb%20c/steps/%7Bid%7D");

    auto const& params = std::get<router::match>(found).params;
    EXPECT_EQ(params.at("id"), "a/b c");
    EXPECT_EQ(params.at("step"), "{id}");
}

TEST(router, answers_400_for_a_malformed_escape) {
    EXPECT_EQ(pattern_of("GET", "/jobs/%zz"), "400");
}

TEST(router, refuses_a_pattern_without_a_slash) {
    EXPECT_THROW(router({to("GET", "health")}), std::invalid_argument);
}

} // namespace
} // namespace postrider::net::router_test
