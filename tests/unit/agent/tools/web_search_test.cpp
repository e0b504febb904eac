// The tool web_search against scripted servers that answer as SearXNG and Brave do.
#include "tests/unit/agent/http_request_fixture.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::web_search_test {
namespace {

namespace json = boost::json;
using base::errc;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class web_search : public tests::http_request {
protected:
    base::result<tool_output> search(json::object arguments, bool with_key = false) {
        auto const port = server->origin().substr(server->origin().rfind(':'));
        configuration = tests::configured(
            "web_search",
            {{"url", "http://" + host + port + "/x/"}, {"api_key", with_key ? "brave-key" : ""}}
        );
        arguments.emplace("count", 5);
        tool_context context(
            {{}, job, base::system_clock(), settings, "the-key", &web, configuration}
        );
        return io.run(find_tool("web_search")->run(context, std::move(arguments)));
    }

    std::string host = "127.0.0.1";
};

// As SearXNG answered in 2026-08.
constexpr auto searxng = R"({"query": "fern watering", "results": [
    {"url": "https://example.org/fern", "title": "Fern <b>care</b>", "content": "Keep the soil&nbsp;moist &amp; cool.",
     "engine": "duckduckgo", "score": 1.5, "publishedDate": "2026-03-02T00:00:00"},
    {"url": "https://example.org/2", "title": "Second", "content": null, "publishedDate": null},
    {"url": "https://example.org/3", "title": "Third"}],
    "answers": [], "suggestions": ["boston fern"], "unresponsive_engines": [["google", "CAPTCHA"]]})";

TEST_F(web_search, asks_searxng) {
    serve({{typed("application/json", searxng)}});

    auto const found = search({{"query", "fern & water+"}, {"count", 2}, {"freshness", "month"}});

    ASSERT_TRUE(found) << to_string(found.error());
    EXPECT_EQ(
        found->text,
        "1. Fern care\nhttps://example.org/fern\nKeep the soil moist & cool.\ndated 2026-03-02\n\n"
        "2. Second\nhttps://example.org/2"
    );
    EXPECT_THAT(
        request(),
        StartsWith("GET /x/search?q=fern%20%26%20water%2B&format=json&time_range=month HTTP/1.1\r\n"
        )
    );
}

TEST_F(web_search, asks_the_operators_server_however_its_name_is_written) {
    host = "LocalHost";
    serve({{typed("application/json", searxng)}});
    auto const found = search({{"query", "fern"}});
    EXPECT_TRUE(found) << to_string(found.error());
}

TEST_F(web_search, asks_brave_with_its_key) {
    serve({{typed("application/json", R"({"type": "search", "web": {"results": [
        {"title": "Fern care", "url": "https://example.org/fern", "description": "Moist.",
         "page_age": "2026-03-02T00:00:00"}]}})")}});

    auto const found = search({{"query", "fern"}, {"freshness", "week"}}, true);

    ASSERT_TRUE(found) << to_string(found.error());
    EXPECT_EQ(found->text, "1. Fern care\nhttps://example.org/fern\nMoist.\ndated 2026-03-02");
    EXPECT_THAT(
        request(),
        AllOf(
            StartsWith("GET /x/res/v1/web/search?q=fern&count=5&"),
            HasSubstr("&freshness=pw "),
            HasSubstr("X-Subscription-Token: brave-key\r\n")
        )
    );
}

// Its schema takes 2.0 for an integer, and so do models.
TEST_F(web_search, takes_a_count_with_a_decimal_point) {
    serve({{typed("application/json", searxng)}});
    auto const found = search({{"query", "fern"}, {"count", 1.0}});
    io.run(server->finish());
    serve({{typed("application/json", R"({"type": "search"})")}});
    auto const asked = search({{"query", "fern"}, {"count", 2.0}}, true);

    ASSERT_TRUE(found) << to_string(found.error());
    EXPECT_THAT(found->text, Not(HasSubstr("2. Second")));
    ASSERT_TRUE(asked) << to_string(asked.error());
    EXPECT_THAT(request(), HasSubstr("&count=2&"));
}

TEST_F(web_search, of_nothing_that_is_there_finds_nothing) {
    serve({{typed("application/json", R"({"type": "search"})")}});

    EXPECT_EQ(search({{"query", "fern"}}, true)->text, "Nothing was found.");
}

TEST_F(web_search, tells_what_is_wrong_with_the_server) {
    serve({{answer("403 Forbidden", "", "")}});
    auto const html_only = search({{"query", "fern"}});
    io.run(server->finish());
    serve({{answer("429 Too Many Requests", "Retry-After: 7\r\n", "")}});
    auto const busy = search({{"query", "fern"}});
    io.run(server->finish());
    serve({{typed("text/html", "<html>")}});
    auto const no_json = search({{"query", "fern"}});
    io.run(server->finish());
    serve({{answer("401 Unauthorized", "", "")}});
    auto const wrong_key = search({{"query", "fern"}}, true);

    EXPECT_THAT(html_only.error().detail, HasSubstr("search.formats"));
    EXPECT_EQ(busy.error(), errc::rate_limited);
    EXPECT_EQ(busy.error().retry_after, std::chrono::seconds{7});
    EXPECT_THAT(no_json.error().detail, HasSubstr("not JSON"));
    EXPECT_EQ(wrong_key.error(), errc::unauthorized);
    EXPECT_THAT(wrong_key.error().detail, Not(HasSubstr("brave-key")));
}

TEST_F(web_search, is_offered_where_a_server_is_configured) {
    auto offered = flow::offer(*find_tool("web_search"));
    std::map<std::string, tool_configuration, std::less<>> said;

    EXPECT_FALSE(flow::configure(offered, said));
    said["web_search"] = tests::configured("web_search", {{"url", "http://searx:8080"}});
    EXPECT_TRUE(flow::configure(offered, said));
    said["web_search"] = tests::configured("web_search", {{"api_key", "k"}});
    EXPECT_TRUE(flow::configure(offered, said));
}

} // namespace
} // namespace postrider::agent::web_search_test
