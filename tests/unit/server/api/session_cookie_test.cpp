#include "server/api/session_cookie.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::api::session_cookie_test {
namespace {

using namespace std::chrono_literals;
using testing::Eq;
using testing::Optional;

TEST(session_cookie, is_found_among_others) {
    for (auto const* header :
         {"postrider_session=abc",
          "a=1; postrider_session=abc; b=2",
          "a=1;postrider_session=abc",
          " postrider_session=abc ;",
          ";;=; ;postrider_session=abc",
          "postrider_session=abc; postrider_session=abc"}) {
        net::header_list const headers{{"cookie", header}};
        EXPECT_THAT(session_cookie(headers, false), Optional(Eq("abc"))) << header;
    }
    net::header_list const two{{"Cookie", "a=1"}, {"Cookie", "postrider_session=abc"}};
    EXPECT_THAT(session_cookie(two, false), Optional(Eq("abc")));
}

TEST(session_cookie, is_not_one_of_a_similar_name) {
    for (auto const* header :
         {"",
          ";",
          "postrider_session",
          "xpostrider_session=abc",
          "postrider_sessions=abc",
          "Postrider_Session=abc",
          "a=postrider_session=abc",
          "postrider_session =abc"}) {
        net::header_list const headers{{"Cookie", header}};
        EXPECT_EQ(session_cookie(headers, false), std::nullopt) << header;
    }
    EXPECT_EQ(session_cookie({{"X-Cookie", "postrider_session=abc"}}, false), std::nullopt);
}

// Another program of this host, or of a host above it, may have set one of them.
TEST(session_cookie, is_none_that_counts_where_several_differ) {
    net::header_list const headers{{"Cookie", "postrider_session=abc; postrider_session=def"}};
    EXPECT_THAT(session_cookie(headers, false), Optional(Eq("")));
}

TEST(session_cookie, by_https_is_of_this_host_alone) {
    net::header_list const plain{{"Cookie", "postrider_session=abc"}};
    net::header_list const both{{"Cookie", "postrider_session=abc; __Host-postrider_session=def"}};

    EXPECT_EQ(session_cookie(plain, true), std::nullopt);
    EXPECT_THAT(session_cookie(both, true), Optional(Eq("def")));
    EXPECT_THAT(session_cookie(both, false), Optional(Eq("abc")));
}

TEST(session_cookie, is_kept_from_scripts_and_from_requests_of_other_sites) {
    base::secret const session("abc");
    EXPECT_EQ(
        new_session_cookie(session, false, 30s),
        "postrider_session=abc; Path=/; Max-Age=30; HttpOnly; SameSite=Strict"
    );
    EXPECT_EQ(
        new_session_cookie(session, true, 30s),
        "__Host-postrider_session=abc; Path=/; Max-Age=30; HttpOnly; SameSite=Strict; Secure"
    );
    EXPECT_EQ(
        no_session_cookie(true),
        "__Host-postrider_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure"
    );
}

} // namespace
} // namespace postrider::api::session_cookie_test
