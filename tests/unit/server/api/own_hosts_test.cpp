#include "server/api/own_hosts.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace postrider::api::own_hosts_test {
namespace {

std::vector<std::string> const configured{"mcp.example.org", "*.example.net"};

TEST(own_hosts, are_addresses_localhost_and_configured_names) {
    for (auto const* host :
         {"localhost",
          "localhost:8080",
          "127.0.0.1:8080",
          "[::1]:8080",
          "[::1]",
          "192.168.1.7",
          "a.localhost",
          "LOCALHOST",
          "MCP.example.org",
          "mcp.example.org:443",
          "a.example.net"})
        EXPECT_TRUE(is_own_host(host, configured)) << host;
    for (auto const* host :
         {"",
          ":8080",
          "evil",
          "evil:8080",
          "postrider",
          "box.local",
          "box.internal",
          "box.lan",
          "evil.example",
          "example.net",
          "localhost.evil.example",
          "127.0.0.1.evil.example",
          "notlocalhost"})
        EXPECT_FALSE(is_own_host(host, configured)) << host;
}

TEST(own_origins, are_of_this_machine_this_server_or_configured) {
    for (auto const* origin :
         {"http://localhost:6274",
          "http://127.0.0.1",
          "http://[::1]:3000",
          "http://192.168.1.7:8080",
          "https://mcp.example.org"})
        EXPECT_TRUE(is_own_origin(origin, "192.168.1.7:8080", configured)) << origin;
    for (auto const* origin :
         {"null",
          "",
          "http://",
          "http://evil.example",
          "http://192.168.1.8:8080",
          "http://127.evil.example",
          "http://postrider"})
        EXPECT_FALSE(is_own_origin(origin, "192.168.1.7:8080", configured)) << origin;
    EXPECT_FALSE(is_own_origin("http://evil.example", "evil.example", configured))
        << "a name that was led here";
}

} // namespace
} // namespace postrider::api::own_hosts_test
