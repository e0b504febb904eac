// A browser's way through the real binary: the link of the command line or of a start, the login, the
// API, the logout.
#include "tests/end_to_end/server/pseudo_terminal.hpp"
#include "tests/end_to_end/server/scene.hpp"
#include "tests/support/paths.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::console_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string token_in(std::string const& url) {
    return url.substr(url.find("#login=") + 7);
}

answer ask(
    int port, std::string const& request, std::string const& more, std::string const& body = ""
) {
    return http_exchange(
        port,
        request + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
            "\r\nConnection: close\r\nSec-Fetch-Site: same-origin\r\nContent-Length: " +
            std::to_string(body.size()) + "\r\n" + more + "\r\n" + body
    );
}

answer log_in(int port, std::string const& token, std::string const& more = "") {
    return ask(port, "POST /api/v1/login", more, R"({"token": ")" + token + "\"}");
}

// The header that a browser sends from then on.
std::string cookie_of(answer const& login) {
    std::string const field = "Set-Cookie: ";
    auto const begin = login.head.find(field);
    if (begin == login.head.npos) return {};
    auto const value = login.head.substr(begin + field.size());
    return "Cookie: " + value.substr(0, value.find(';')) + "\r\n";
}

std::string new_link(product& of) {
    auto const link = of.run({"console", "link", "--user", "7001", "--json"});
    EXPECT_EQ(link.code, 0) << of.log();
    return token_in(std::string(boost::json::parse(link.out).at("url").as_string()));
}

// covers: X.13
TEST(console, is_entered_by_a_link_and_left_by_a_logout) {
    scene s;
    s.product().start();
    auto const port = s.product().port();
    auto const token = new_link(s.product());

    auto const entered = log_in(port, token);
    auto const cookie = cookie_of(entered);
    auto const me = ask(port, "GET /api/v1/me", cookie);
    auto const paused = ask(port, "POST /api/v1/pause", cookie);
    auto const resumed = ask(port, "POST /api/v1/resume", cookie);
    auto const again = log_in(port, token);
    auto const left = ask(port, "DELETE /api/v1/session", cookie);

    ASSERT_EQ(entered.status, 204) << entered.body;
    EXPECT_EQ(me.status, 200) << me.body;
    EXPECT_EQ(boost::json::parse(me.body).at("actor").as_string(), "user:7001/console:1");
    EXPECT_EQ(paused.status, 200) << paused.body;
    EXPECT_EQ(resumed.status, 200) << resumed.body;
    EXPECT_EQ(again.status, 401) << "each link is for one login";
    EXPECT_EQ(left.status, 204);
    EXPECT_EQ(ask(port, "GET /api/v1/me", cookie).status, 401);
    EXPECT_THAT(get(port, "/metrics").body, HasSubstr("postrider_refused_total{at=\"console\"} 1"));
    EXPECT_THAT(
        s.product().log(),
        AllOf(HasSubstr("console.login"), Not(HasSubstr("prl_")), Not(HasSubstr("prs_")))
    );
}

TEST(console, keeps_its_cookie_to_https_where_a_trusted_proxy_has_it) {
    scene s{{{"POSTRIDER_TRUSTED_PROXIES", "127.0.0.1"}}};
    s.product().start();
    auto const port = s.product().port();
    std::string const by_https = "X-Forwarded-Proto: https\r\n";

    auto const entered = log_in(port, new_link(s.product()), by_https);
    auto const cookie = cookie_of(entered);

    EXPECT_THAT(entered.head, HasSubstr("Set-Cookie: __Host-postrider_session=prs_"));
    EXPECT_THAT(entered.head, HasSubstr("; Secure\r\n"));
    EXPECT_EQ(ask(port, "GET /api/v1/me", cookie + by_https).status, 200);
    EXPECT_EQ(ask(port, "GET /api/v1/me", cookie).status, 401) << "not by http";
}

TEST(console, has_its_link_in_the_terminal_of_a_start) {
    test_database database;
    auto const data =
        std::filesystem::temp_directory_path() / ("console_" + std::to_string(::getpid()));
    environment const variables{
        {"DATABASE_URL", database.url()}, {"POSTRIDER_DATA", data.string()}};
    pseudo_terminal terminal({built("postrider"), "demo"}, variables, 50, 300);
    ASSERT_TRUE(terminal.shows("you>")) << terminal.screen();

    auto const screen = terminal.screen();
    auto const url = screen.substr(screen.find("  console   http://127.0.0.1:"));
    auto const line = url.substr(0, url.find_first_of(" \n", 12));
    auto const port = std::stoi(line.substr(line.rfind(':') + 1));
    auto const entered = log_in(port, token_in(line));

    EXPECT_EQ(entered.status, 204) << line << entered.body;
    auto const me = boost::json::parse(ask(port, "GET /api/v1/me", cookie_of(entered)).body);
    EXPECT_EQ(me.at("role").as_string(), "owner");
    EXPECT_EQ(me.at("user_id").as_int64(), 1000);
    EXPECT_TRUE(me.at("demo").as_bool());
    terminal.type("\x03");
    EXPECT_EQ(terminal.wait(), 0) << terminal.screen();
    std::filesystem::remove_all(data);
}

} // namespace
} // namespace postrider::tests::console_test
