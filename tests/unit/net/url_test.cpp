#include "net/http_client.hpp"
#include "net/origin.hpp"

#include <gtest/gtest.h>

namespace postrider::net::url_test {
namespace {

using namespace std::chrono_literals;

TEST(base_url, splits_origin_and_path) {
    struct {
        char const* text;
        char const* origin;
        char const* path;
    } cases[] = {
        {"https://api.openai.com/v1/", "https://api.openai.com", "/v1"},
        {"https://api.telegram.org", "https://api.telegram.org", ""},
        {"http://127.0.0.1:9000/", "http://127.0.0.1:9000", ""},
        {"HTTP://localhost/a/b", "http://localhost", "/a/b"},
        {"http://[::1]:8080/v1", "http://[::1]:8080", "/v1"},
    };
    for (auto const& each : cases) {
        auto url = parse_base_url(each.text);
        ASSERT_TRUE(url) << each.text;
        EXPECT_EQ(url->origin, each.origin);
        EXPECT_EQ(url->path, each.path);
    }
}

TEST(base_url, refuses_what_is_no_base) {
    for (auto text :
         {"",
          "api.openai.com",
          "ftp://a/",
          "https://",
          "https:///v1",
          "https://u:p@a/",
          "https://a/?q",
          "https://a/#f",
          "https://a b/",
          "http://a:0",
          "http://a:99999"})
        EXPECT_FALSE(parse_base_url(text)) << text;
}

TEST(target_within, follows_a_reference_and_stays_within_the_origin) {
    base_url const from{"https://example.org", "/api/sse"};

    EXPECT_EQ(target_within(from, "/messages?id=1#x").value(), "/messages?id=1");
    EXPECT_EQ(target_within(from, "messages").value(), "/api/messages");
    EXPECT_EQ(target_within(from, "?id=1").value(), "/api/sse?id=1");
    EXPECT_EQ(target_within(from, "https://EXAMPLE.org:443/a%2Fb").value(), "/a%2Fb");
    for (auto const* reference :
         {"http://example.org/",
          "https://example.org:8443/",
          "//other.org/",
          "https://u@example.org/",
          "mailto:a",
          "a b"})
        EXPECT_FALSE(target_within(from, reference)) << reference;
}

TEST(origin, knows_host_and_port) {
    auto plain = parse_origin("http://localhost").value();
    EXPECT_FALSE(plain.tls);
    EXPECT_EQ(plain.host + " " + plain.port + " " + plain.authority, "localhost 80 localhost");

    auto literal = parse_origin("https://[::1]:8443").value();
    EXPECT_TRUE(literal.tls);
    EXPECT_EQ(literal.host + " " + literal.port + " " + literal.authority, "::1 8443 [::1]:8443");

    EXPECT_EQ(parse_origin("https://[::1]").value().port, "443");
    EXPECT_FALSE(parse_origin("https://a/v1"));
    EXPECT_FALSE(parse_origin("https://a/"));
}

TEST(origin, may_be_a_unix_socket) {
    auto local = parse_origin("unix:/run/postrider/http.sock").value();

    EXPECT_EQ(local.unix_path, "/run/postrider/http.sock");
    EXPECT_EQ(local.authority, "localhost");
    EXPECT_FALSE(local.tls);
    EXPECT_FALSE(parse_origin("unix:relative.sock"));
}

TEST(retry_after, takes_seconds) {
    EXPECT_EQ(parse_retry_after("0", {}), 0ms);
    EXPECT_EQ(parse_retry_after("35", {}), 35s);
    EXPECT_EQ(parse_retry_after("86400", {}), 1h) << "nobody outside stops us for days";
    EXPECT_EQ(parse_retry_after("99999999999999999999", {}), 1h);
}

TEST(retry_after, takes_an_http_date) {
    base::sys_time const now{784111777s}; // 1994-11-06 08:49:37

    EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:50:00 GMT", now), 23s);
    EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", now - 250ms), 250ms);
    EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:00:00 GMT", now), 0ms);
}

TEST(retry_after, refuses_anything_else) {
    for (auto text :
         {"",
          "-1",
          "1.5",
          "soon",
          "35 s",
          "Sun, 31 Feb 2026 08:49:37 GMT",
          "Sun, 06 Nov 1994 24:49:37 GMT",
          "Sun, 06 Nov 1994 08:49:37 UTC",
          "Sunday, 06-Nov-94 08:49:37 GMT",
          "Sun, 06 Nov 1994 08:4x:37 GMT"})
        EXPECT_FALSE(parse_retry_after(text, {})) << text;
}

TEST(retry_after, bounds_the_most_distant_dates) {
    base::sys_time const now{784111777s};
    for (auto const present : {base::sys_time{}, now, base::sys_time{8'000'000h}}) {
        EXPECT_EQ(parse_retry_after("Fri, 31 Dec 9999 23:59:59 GMT", present), 1h);
        EXPECT_EQ(parse_retry_after("Sat, 01 Jan 0000 00:00:00 GMT", present), 0ms);
    }
}

// Every cut and every changed letter; the sanitizers see what a reader does with the rest.
TEST(retry_after, reads_no_part_of_a_date_that_is_malformed) {
    std::string const date = "Sun, 06 Nov 1994 08:49:37 GMT";
    for (std::size_t at = 0; at < date.size(); ++at) {
        EXPECT_FALSE(parse_retry_after(date.substr(0, at), {})) << at;
        for (auto const letter : {'-', '+', ':', ' ', 'x', '.', '\0', '\xFF'}) {
            auto changed = date;
            changed[at] = letter;
            if (changed == date) continue;
            EXPECT_FALSE(parse_retry_after(changed, {})) << changed;
        }
        EXPECT_FALSE(parse_retry_after(date.substr(0, at) + "999999999999" + date.substr(at), {}));
    }
}

} // namespace
} // namespace postrider::net::url_test
