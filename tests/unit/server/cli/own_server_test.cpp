#include "server/cli/own_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::cli::own_server_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string read(std::string_view address) {
    auto const origin = origin_of(address);
    return origin ? *origin : origin.error().detail;
}

struct address_case {
    std::string_view address;
    std::string_view origin;
};

TEST(own_server_address, is_read_in_every_form_that_people_copy) {
    for (auto const& [address, origin] : {
             address_case{"127.0.0.1:8080", "http://127.0.0.1:8080"},
             address_case{"localhost:8080", "http://127.0.0.1:8080"},
             address_case{"http://127.0.0.1:8080/", "http://127.0.0.1:8080"},
             address_case{"http://127.0.0.1:8080", "http://127.0.0.1:8080"},
             address_case{"https://bot.example.org/", "https://bot.example.org"},
             address_case{"HTTPS://bot.example.org:8443", "https://bot.example.org:8443"},
             address_case{"app:8080", "http://app:8080"},
             address_case{"8080", "http://127.0.0.1:8080"},
             address_case{":8080", "http://127.0.0.1:8080"},
             address_case{"[::1]:8080", "http://[::1]:8080"},
             address_case{"0.0.0.0:8080", "http://127.0.0.1:8080"},
             address_case{"[::]:8080", "http://[::1]:8080"},
             address_case{"http://0.0.0.0:8080/", "http://127.0.0.1:8080"},
             address_case{"http://127.0.0.1:8080/api/v1", "http://127.0.0.1:8080"},
             address_case{"https://bot.example.org/api/v1/", "https://bot.example.org"},
             address_case{"127.0.0.1:8080/api/v1", "http://127.0.0.1:8080"},
             address_case{"unix:/srv/api/v1", "unix:/srv/api/v1"},
             address_case{"unix:/run/postrider.sock", "unix:/run/postrider.sock"},
         })
        EXPECT_EQ(read(address), origin) << address;
}

TEST(own_server_address, that_is_none_is_refused_with_what_is_one) {
    for (std::string_view const address :
         {"",
          "example.org",
          "http://",
          "ftp://127.0.0.1:8080",
          "http://a:b@127.0.0.1:8080",
          "http://127.0.0.1:8080/api/v2",
          "http://127.0.0.1:8080/api/v1/jobs",
          "/api/v1",
          "127.0.0.1:99999",
          "99999",
          "127.0.0.1:8080/readyz",
          "unix:relative",
          "::1:",
          "http://127.0.0.1:8080/?x=1"}) {
        EXPECT_FALSE(origin_of(address)) << address;
        EXPECT_THAT(read(address), AllOf(HasSubstr("not a server's address"), HasSubstr("8080")))
            << address;
    }
    EXPECT_THAT(read("127.0.0.1:0"), HasSubstr("no such port"));
}

} // namespace
} // namespace postrider::cli::own_server_test
