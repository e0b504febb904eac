// Lists of hosts, as operators write them.
#include "net/host_pattern.hpp"

#include <gtest/gtest.h>

namespace postrider::net::host_pattern_test {
namespace {

TEST(host_pattern, is_a_host_with_or_without_a_port) {
    for (auto const* text :
         {"example.org", "*.example.org", "10.0.0.7:8080", "localhost", "[fd00::7]:80", "wiki"})
        EXPECT_TRUE(is_host_pattern(text)) << text;
    for (auto const* text :
         {"",
          "*",
          "*.",
          "https://example.org",
          "example.org/path",
          "a b",
          "example.org:",
          "example.org:http",
          ".example.org",
          "[fd00::7",
          "a.*.org",
          "user@example.org"})
        EXPECT_FALSE(is_host_pattern(text)) << text;
}

TEST(host_pattern, matches_whole_names_only) {
    EXPECT_TRUE(matches_host("example.org", "Example.org", "443"));
    EXPECT_TRUE(matches_host("*.example.org", "a.b.example.org", "80"));
    EXPECT_TRUE(matches_host("[::1]:80", "[::1]", "80"));

    EXPECT_FALSE(matches_host("example.org", "notexample.org", "443"));
    EXPECT_FALSE(matches_host("example.org", "example.org.evil.com", "443"));
    EXPECT_FALSE(matches_host("*.example.org", "example.org", "443"));
    EXPECT_FALSE(matches_host("*.example.org", "evilexample.org", "443"));
    EXPECT_FALSE(matches_host("example.org:8443", "example.org", "443"));
}

TEST(host_pattern, tells_names_of_this_network_from_those_of_the_world) {
    for (auto const* host :
         {"127.0.0.1", "[::1]", "localhost", "searxng", "wiki.internal", "nas.LOCAL", "2130706433"})
        EXPECT_TRUE(is_local_host(host)) << host;
    for (auto const* host : {"example.org", "localhost.example.org", "127.0.0.1.nip.io"})
        EXPECT_FALSE(is_local_host(host)) << host;
}

TEST(host_pattern, tells_this_machine_and_addresses_from_names_that_somebody_decides) {
    for (auto const* host : {"127.0.0.1", "10.0.0.7", "[::1]", "localhost", "A.Localhost"})
        EXPECT_TRUE(is_address_or_localhost(host)) << host;
    for (auto const* host :
         {"", "searxng", "wiki.internal", "nas.local", "example.org", "localhost.example.org"})
        EXPECT_FALSE(is_address_or_localhost(host)) << host;
}

} // namespace
} // namespace postrider::net::host_pattern_test
