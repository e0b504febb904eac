#include "server/api/console_link.hpp"
#include "server/console/own_pages.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

namespace postrider::console::link_test {
namespace {

TEST(console_link, leads_to_where_browsers_reach_the_server) {
    EXPECT_EQ(api::console_base("", "127.0.0.1:8080"), "http://127.0.0.1:8080");
    EXPECT_EQ(api::console_base("", "0.0.0.0:8080"), "http://127.0.0.1:8080");
    EXPECT_EQ(api::console_base("", "[::]:8080"), "http://[::1]:8080");
    EXPECT_EQ(api::console_base("", "unix:/run/postrider.sock"), "");
    EXPECT_EQ(api::console_base("https://bot.example.org/", "unix:/s"), "https://bot.example.org");
    EXPECT_EQ(api::console_base("https://example.org/bot", "0.0.0.0:1"), "https://example.org/bot");
    EXPECT_EQ(
        api::url_of("https://bot.example.org", base::secret("prl_1")),
        "https://bot.example.org/console#login=prl_1"
    ) << "what stands behind # reaches no server and no log";
    EXPECT_EQ(
        api::url_of("http://a", base::secret("prl_1"), "/demo"), "http://a/console/demo#login=prl_1"
    );
}

base::awaitable<net::http_response> show_page(net::http_request) {
    co_return net::http_response::text(200, "the page");
}

TEST(console_pages, are_shown_under_the_servers_own_names_alone) {
    tests::loop io;
    net::route page;
    page.handle = show_page;
    auto const pages = under_own_names({page}, {{"bot.example.org"}});
    auto const status = [&](std::string host) {
        net::http_request request;
        request.headers = {{"Host", std::move(host)}};
        return io.run(pages[0].handle(std::move(request))).status;
    };

    EXPECT_EQ(status("bot.example.org"), 200);
    EXPECT_EQ(status("localhost:8080"), 200);
    EXPECT_EQ(status("evil.org"), 403);
    EXPECT_EQ(status(""), 403);
}

} // namespace
} // namespace postrider::console::link_test
