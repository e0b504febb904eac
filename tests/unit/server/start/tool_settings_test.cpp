#include "server/start/config.hpp"
#include "tests/unit/server/start/config_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::server::tool_settings_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(tool_settings, say_risk_and_hosts_of_a_tool) {
    auto const loaded = from_file(R"(
[tools.files_write]
risk = "high"
[tools.http_request]
risk = "low"
allowed_hosts = ["api.example.org", "*.example.com", "127.0.0.1:9000"]
)");

    ASSERT_THAT(loaded.problems, IsEmpty());
    auto const& tools = loaded.values.tools;
    EXPECT_EQ(tools.at("files_write").risk, agent::risk::high);
    EXPECT_EQ(tools.at("http_request").risk, agent::risk::low);
    EXPECT_THAT(
        tools.at("http_request").values.words("allowed_hosts"),
        ElementsAre("api.example.org", "*.example.com", "127.0.0.1:9000")
    );
}

TEST(tool_settings, name_a_search_server) {
    auto const loaded =
        from_file("[tools.web_search]\nurl = 'http://searx:8080'\napi_key = 'brave-key'\n");

    ASSERT_THAT(loaded.problems, IsEmpty());
    auto const& search = loaded.values.tools.at("web_search");
    EXPECT_EQ(search.values.text("url"), "http://searx:8080");
    EXPECT_EQ(search.values.secret("api_key").reveal(), "brave-key");
}

TEST(tool_settings, leave_out_what_the_tool_says_itself) {
    auto const loaded = from_file("[tools.http_request]\nallowed_hosts = []");

    ASSERT_THAT(loaded.problems, IsEmpty());
    auto const& tools = loaded.values.tools;
    EXPECT_FALSE(tools.at("http_request").risk);
    EXPECT_THAT(tools.at("http_request").values.words("allowed_hosts"), IsEmpty());
    EXPECT_EQ(tools.at("web_search").values.text("url"), "");
    EXPECT_TRUE(tools.at("web_search").values.secret("api_key").empty());
}

TEST(tool_settings, tell_mistakes) {
    EXPECT_THAT(
        from_file("[tools.a]\nrisk = \"extreme\"").problems, Contains(HasSubstr("tools.a.risk"))
    );
    EXPECT_THAT(
        from_file("[tools.a]\nallowed_hosts = [\"x.org\"]").problems,
        Contains(HasSubstr("unknown key tools.a.allowed_hosts"))
    );
    EXPECT_THAT(
        from_file("[tools.calculator]\nurl = 'http://x.org'").problems,
        Contains(HasSubstr("unknown key tools.calculator.url"))
    );
    EXPECT_THAT(
        from_file("[tools.http_request]\nallowed_hosts = [\"https://x.org/\"]").problems,
        Contains(HasSubstr("tools.http_request.allowed_hosts: 'https://x.org/' is no host"))
    );
}

} // namespace
} // namespace postrider::server::tool_settings_test
