#include "base/hex.hpp"
#include "net/base64.hpp"
#include "net/digest.hpp"
#include "server/api/home_page.hpp"
#include "server/api/routes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::api::home_page_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(home_page, shows_that_the_server_is_ready_and_its_version) {
    base::manual_clock clock;
    health state(clock, 3);
    state.database_answered();

    auto const page = home_page(state, "1.2.3");

    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.headers.find("Content-Type"), "text/html; charset=utf-8");
    EXPECT_THAT(page.body, AllOf(HasSubstr("<small>1.2.3</small>"), HasSubstr(">Ready<")));
    EXPECT_THAT(page.body, HasSubstr("/api/openapi.json"));
}

TEST(home_page, shows_each_reason_against_as_text) {
    base::manual_clock clock;
    health state(clock, 3);
    state.begin_drain();
    state.commits_refused("<b>\"full\" & slow</b>");

    auto const page = home_page(state, "1.2.3");

    EXPECT_EQ(page.status, 200) << "a page that a browser shows in any case";
    EXPECT_THAT(page.body, AllOf(HasSubstr(">Not ready<"), HasSubstr("<li>draining</li>")));
    EXPECT_THAT(page.body, HasSubstr("&lt;b&gt;&quot;full&quot; &amp; slow&lt;/b&gt;"));
}

std::string between(std::string_view text, std::string_view begin, std::string_view end) {
    auto const from = text.find(begin) + begin.size();
    return std::string(text.substr(from, text.find(end, from) - from));
}

TEST(home_page, lets_a_browser_load_nothing_but_its_own_style) {
    base::manual_clock clock;
    auto const page = home_page(health(clock, 3), "1.2.3");

    auto const policy = page.headers.find("Content-Security-Policy");
    EXPECT_THAT(
        policy, AllOf(HasSubstr("default-src 'none'"), HasSubstr("frame-ancestors 'none'"))
    );
    auto const hash = net::from_base64(between(policy, "style-src 'sha256-", "'")).value_or("");
    auto const style = between(page.body, "<style>", "</style>");
    EXPECT_EQ(base::to_hex(hash), net::sha256_hex(style));
    EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
    EXPECT_EQ(page.headers.find("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(page.headers.find("Cache-Control"), "no-store");
    EXPECT_EQ(page.headers.find("Cross-Origin-Opener-Policy"), "same-origin");
    EXPECT_EQ(page.headers.find("Cross-Origin-Resource-Policy"), "same-origin");
    EXPECT_THAT(page.body, AllOf(Not(HasSubstr("<script")), Not(HasSubstr("style="))));
}

TEST(home_page, is_the_answer_at_the_root_alone) {
    base::manual_clock clock;
    health state(clock, 3);
    net::router const routes(status_routes(state, [] { return metrics_snapshot{}; }));
    auto const status = [&](std::string_view method, std::string_view path) {
        auto const found = routes.find(method, path);
        auto const* refused = std::get_if<net::http_response>(&found);
        return refused ? refused->status : 200;
    };

    EXPECT_EQ(status("GET", "/"), 200);
    EXPECT_EQ(status("HEAD", "/"), 200);
    EXPECT_EQ(status("POST", "/"), 405);
    EXPECT_EQ(status("GET", "/nothing"), 404);
    EXPECT_EQ(status("GET", "//"), 404);
}

} // namespace
} // namespace postrider::api::home_page_test
