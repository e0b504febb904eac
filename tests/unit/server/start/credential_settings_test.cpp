#include "tests/unit/server/start/config_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::server::credential_settings_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(credential_settings, come_from_the_file_and_the_environment) {
    auto const loaded = from_file(
        R"(
[credentials.shop]
kind = "header"
name = "X-Api-Key"
hosts = ["api.shop.example", "*.shop.example"]
[credentials.wiki]
kind = "basic"
user = "bot"
value = "hunter2"
hosts = "wiki.example.org"
)",
        {{"POSTRIDER_CREDENTIAL_SHOP", "in-env"}}
    );

    ASSERT_THAT(loaded.problems, IsEmpty());
    auto const& shop = loaded.values.credentials.at("shop");
    EXPECT_EQ(shop.kind, net::credential_kind::header);
    EXPECT_EQ(shop.name, "X-Api-Key");
    EXPECT_EQ(shop.value.reveal(), "in-env");
    EXPECT_THAT(shop.hosts, ElementsAre("api.shop.example", "*.shop.example"));
    auto const& wiki = loaded.values.credentials.at("wiki");
    EXPECT_EQ(wiki.kind, net::credential_kind::basic);
    EXPECT_EQ(wiki.user, "bot");
    EXPECT_EQ(wiki.value.reveal(), "hunter2");
    for (auto const& line : loaded.effective)
        EXPECT_THAT(
            line.value, testing::AllOf(Not(HasSubstr("hunter2")), Not(HasSubstr("in-env")))
        );
}

TEST(credential_settings, need_a_value_hosts_and_what_belongs_to_their_kind) {
    auto const loaded = from_file(R"(
[credentials.'no good']
[credentials.a]
kind = "query"
value = "x"
hosts = "https://example.org"
[credentials.b]
value = "x"
hosts = "example.org"
name = "X-Key"
user = "ann"
)");

    EXPECT_THAT(loaded.problems, Contains(HasSubstr("credentials.no good: a name is up to 64")));
    EXPECT_THAT(loaded.problems, Contains(HasSubstr("credentials.no good: it needs a value")));
    EXPECT_THAT(loaded.problems, Contains(HasSubstr("credentials.no good: it needs hosts")));
    EXPECT_THAT(loaded.problems, Contains(HasSubstr("credentials.a: a query needs the name")));
    EXPECT_THAT(
        loaded.problems, Contains(HasSubstr("credentials.a: hosts: 'https://example.org'"))
    );
    EXPECT_THAT(loaded.problems, Contains(HasSubstr("credentials.b: name is for a header")));
    EXPECT_THAT(loaded.problems, Contains(HasSubstr("credentials.b: user is for basic")));
}

TEST(credential_settings, serve_a_server_of_the_model_context_protocol_at_their_hosts) {
    std::string const credential = R"(
[credentials.tickets]
value = "hunter2"
hosts = "mcp.example.org"
[mcp.tickets]
credential = "tickets"
)";

    auto const loaded = from_file(credential + "url = \"https://mcp.example.org/mcp\"\n");
    auto const elsewhere = from_file(credential + "url = \"https://example.org/mcp\"\n");

    ASSERT_THAT(loaded.problems, IsEmpty());
    auto const& headers = loaded.values.mcp_servers.at("tickets").headers;
    ASSERT_EQ(headers.size(), 1u);
    EXPECT_EQ(headers[0].first, "Authorization");
    EXPECT_EQ(headers[0].second.reveal(), "Bearer hunter2");
    EXPECT_THAT(elsewhere.problems, Contains(HasSubstr("mcp.tickets: credential: its hosts lack")));
}

} // namespace
} // namespace postrider::server::credential_settings_test
