#include "net/forwarded.hpp"

#include <gtest/gtest.h>

namespace postrider::net::forwarded_test {
namespace {

using boost::asio::ip::make_address;

trusted_proxies proxies() {
    return trusted_proxies::parse({"127.0.0.1", "10.0.0.0/8", "fd00::/8", "unix"}).value();
}

TEST(trusted_proxies, knows_its_ranges) {
    auto const all = proxies();

    EXPECT_TRUE(all.trusts(make_address("127.0.0.1")));
    EXPECT_FALSE(all.trusts(make_address("127.0.0.2")));
    EXPECT_TRUE(all.trusts(make_address("10.255.0.1")));
    EXPECT_FALSE(all.trusts(make_address("11.0.0.1")));
    EXPECT_TRUE(all.trusts(make_address("fd12::1")));
    EXPECT_FALSE(all.trusts(make_address("fe80::1")));
    EXPECT_TRUE(all.trusts(make_address("::ffff:10.1.2.3")));
    EXPECT_TRUE(all.trusts_unix());
    EXPECT_FALSE(trusted_proxies{}.trusts(make_address("127.0.0.1")));
    EXPECT_FALSE(trusted_proxies{}.trusts_unix());
}

TEST(trusted_proxies, trusts_everybody_when_told_so) {
    auto const all = trusted_proxies::parse({"0.0.0.0/0", "::/0"}).value();

    EXPECT_TRUE(all.trusts(make_address("203.0.113.9")));
    EXPECT_TRUE(all.trusts(make_address("2001:db8::1")));
}

TEST(trusted_proxies, refuses_what_is_no_range) {
    for (auto entry :
         {"", "localhost", "10.0.0.0/33", "10.0.0/8", "fd00::/129", "10.0.0.0/", "a:b"})
        EXPECT_FALSE(trusted_proxies::parse({entry})) << entry;
}

TEST(trusted_proxies, walks_the_hops_from_the_right) {
    struct {
        header_list headers;
        char const* client;
    } cases[] = {
        {{}, "10.0.0.1"},
        {{{"X-Forwarded-For", "203.0.113.9"}}, "203.0.113.9"},
        {{{"X-Forwarded-For", "6.6.6.6, 203.0.113.9"}},
         "203.0.113.9"}, // the left is the client's word
        {{{"X-Forwarded-For", "203.0.113.9, 10.0.0.2 , 10.0.0.3"}}, "203.0.113.9"},
        {{{"X-Forwarded-For", "6.6.6.6"}, {"x-forwarded-for", "203.0.113.9, 10.0.0.2"}},
         "203.0.113.9"},
        {{{"X-Forwarded-For", "10.0.0.9, 10.0.0.2"}}, "10.0.0.9"}, // all trusted: the farthest
        {{{"X-Forwarded-For", "203.0.113.9:4711, [fd00::1]:443"}}, "203.0.113.9"},
        {{{"X-Forwarded-For", "2001:db8::1"}}, "2001:db8::1"},
        {{{"X-Forwarded-For", "203.0.113.9, unknown, 10.0.0.2"}}, "10.0.0.2"}, // stops at nonsense
        {{{"X-Forwarded-For", ""}}, "10.0.0.1"},
        {{{"X-Forwarded-For", ","}}, "10.0.0.1"},
        {{{"X-Forwarded-For", "[203.0.113.9"}}, "203.0.113.9"},
    };
    for (auto const& each : cases)
        EXPECT_EQ(proxies().client("10.0.0.1", each.headers), each.client);
}

TEST(trusted_proxies, say_whether_the_nearest_was_reached_by_https) {
    struct {
        header_list headers;
        bool https;
    } cases[] = {
        {{}, false},
        {{{"X-Forwarded-Proto", "https"}}, true},
        {{{"x-forwarded-proto", " HTTPS "}}, true},
        {{{"X-Forwarded-Proto", "http"}}, false},
        {{{"X-Forwarded-Proto", "https, http"}}, false}, // the left is the client's word
        {{{"X-Forwarded-Proto", "http, https"}}, true},
        {{{"X-Forwarded-Proto", "https"}, {"X-Forwarded-Proto", "http"}}, false},
        {{{"X-Forwarded-Proto", "httpss"}}, false},
        {{{"X-Forwarded-Proto", ""}}, false},
    };
    for (auto const& each : cases) EXPECT_EQ(trusted_proxies::is_https(each.headers), each.https);
}

} // namespace
} // namespace postrider::net::forwarded_test
