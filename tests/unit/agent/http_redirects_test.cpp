// What the tool http_request makes of redirects.
#include "tests/unit/agent/http_request_fixture.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::http_redirects_test {
namespace {

using base::errc;
using testing::AllOf;
using testing::HasSubstr;
using tests::http_request;

TEST_F(http_request, follows_redirects_and_says_where_it_arrived) {
    serve({{answer("302 Found", "Location: /here\r\n", ""), tests::ok("hello")}});

    auto const output = get("/there");

    ASSERT_TRUE(output) << to_string(output.error());
    EXPECT_THAT(output->text, HasSubstr("url: " + server->origin() + "/here\n"));
}

// covers: S3.13
TEST_F(http_request, each_redirect_is_held_against_the_lists) {
    serve(
        {{answer("302 Found", "Location: http://127.0.0.2/secret\r\n", "")},
         {answer("302 Found", "Location: http://localhost:1/secret\r\n", "")}}
    );

    EXPECT_EQ(get().error(), errc::refused);
    EXPECT_EQ(get().error(), errc::refused);
}

// The server has acted: nothing that comes later may lead to another try.
TEST_F(http_request, what_a_redirect_has_answered_is_not_sent_again) {
    for (auto const* status : {"503 Service Unavailable", "429 Too Many Requests"}) {
        serve(
            {{answer("303 See Other", "Location: /thanks\r\n", ""),
              answer(status, "Retry-After: 7\r\n", "later")}}
        );

        auto const output = call({{"url", server->origin() + "/"}, {"method", "POST"}});

        ASSERT_FALSE(output);
        EXPECT_EQ(output.error(), errc::refused) << status;
        EXPECT_THAT(
            output.error().detail,
            AllOf(
                testing::StartsWith(
                    "the POST was answered by a redirect to " + server->origin() + "/thanks"
                ),
                HasSubstr("later")
            )
        );
        io.run(server->finish());
    }
}

TEST_F(http_request, says_that_it_was_done_where_the_page_behind_may_not_be_reached) {
    serve({{answer("303 See Other", "Location: http://127.0.0.2/thanks\r\n", "")}});

    auto const output = call({{"url", server->origin() + "/"}, {"method", "POST"}});

    EXPECT_EQ(output.error(), errc::refused);
    EXPECT_THAT(output.error().detail, testing::StartsWith("the POST was answered by a redirect"));
}

} // namespace
} // namespace postrider::agent::http_redirects_test
