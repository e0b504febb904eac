// The HTTP API of the real binary: the command line makes a token, and it opens the door.
#include "tests/end_to_end/server/scene.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::api_test {
namespace {

using testing::HasSubstr;
using testing::Not;

answer ask(product const& of, std::string const& request, std::string const& token) {
    return http_exchange(
        of.port(),
        request + " HTTP/1.1\r\nHost: t\r\nContent-Length: 0\r\nConnection: close\r\n" +
            "Authorization: Bearer " + token + "\r\n\r\n"
    );
}

// covers: X.18 E.12
TEST(api, shows_and_changes_the_jobs_of_a_real_server_to_who_has_a_token) {
    scene s{{{"POSTRIDER_ADMIN_TOKEN", "the-owners-token"}}};
    s.product().start();
    s.introduce();
    ASSERT_TRUE(s.settles());
    auto const creation =
        s.product().run({"token", "create", "--user", "7", "--role", "reader", "--json"});
    ASSERT_EQ(creation.code, 0) << creation.out;
    std::string const reader(boost::json::parse(creation.out).at("token").as_string());
    std::string const owner = "the-owners-token";

    auto const listed = ask(s.product(), "GET /api/v1/jobs?state=completed", reader);
    auto const jobs = boost::json::parse(listed.body).at("jobs").as_array();
    auto const forbidden = ask(s.product(), "POST /api/v1/pause", reader);
    auto const paused = ask(s.product(), "POST /api/v1/pause", owner);

    EXPECT_EQ(listed.status, 200) << listed.body;
    EXPECT_EQ(jobs.size(), 2u);
    EXPECT_EQ(forbidden.status, 403);
    EXPECT_EQ(paused.status, 200) << paused.body;
    EXPECT_THAT(
        get(s.product().port(), "/metrics").body,
        HasSubstr("postrider_api_requests_total{status=\"4xx\"} 1")
    );
    EXPECT_THAT(s.product().log(), AllOf(HasSubstr("api.operation"), Not(HasSubstr(reader))));
    EXPECT_THAT(s.product().log(), Not(HasSubstr(owner)));
}

// covers: E.12
TEST(api, pauses_everything_and_lets_it_go_on) {
    scene s{{{"POSTRIDER_ADMIN_TOKEN", "the-owners"}}};
    s.product().start();
    s.introduce();
    ASSERT_TRUE(s.settles());

    EXPECT_EQ(ask(s.product(), "POST /api/v1/pause", "the-owners").status, 200);
    s.say(alice, "are you there?");
    EXPECT_TRUE(s.comes_true("select count(*) = 1 from postrider.job where state = 'available'"));
    auto const waiting = ask(s.product(), "GET /api/v1/jobs?state=available", "the-owners");
    EXPECT_THAT(waiting.body, HasSubstr(R"("waits_for":")"));
    EXPECT_EQ(s.texts().size(), 2u) << "nothing was said meanwhile";

    EXPECT_EQ(ask(s.product(), "POST /api/v1/resume", "the-owners").status, 200);
    EXPECT_TRUE(s.replies(3));
    ASSERT_TRUE(s.settles());
    s.check_oracle();
}

// covers: X.18
TEST(api, talks_with_people_over_http) {
    scene s;
    s.models.script(fake_reply::saying("It is 42."));
    s.product().start();

    auto const said = s.product().run({"chat", "--say", "What is 6*7?"});

    EXPECT_EQ(said.code, 0) << s.product().log();
    EXPECT_EQ(said.out, "postrider> It is 42.\n");
    EXPECT_TRUE(s.texts().empty()) << "nothing goes to Telegram";

    auto const newest = s.product().run({"executions", "list", "--json"});
    auto const id = boost::json::parse(newest.out).at("executions").at(0).at("job_id").as_int64();
    auto const shown = s.product().run({"executions", "show", std::to_string(id)});
    EXPECT_EQ(shown.code, 0) << s.product().log();
    EXPECT_THAT(shown.out, testing::ContainsRegex("Assistant +agent +done"));
    EXPECT_EQ(s.product().run({"executions", "show", "999999"}).code, 1);

    auto const asked = s.models.requests().size();
    auto const replayed = s.product().run({"flows", "replay", std::to_string(id)});
    EXPECT_EQ(replayed.code, 0) << s.product().log();
    EXPECT_THAT(replayed.out, HasSubstr("replayed: completed"));
    EXPECT_THAT(replayed.out, testing::ContainsRegex("Assistant +agent +done"));
    EXPECT_EQ(s.models.requests().size(), asked) << "the record answers";
    EXPECT_EQ(s.product().run({"flows", "replay", "999999"}).code, 1);
}

} // namespace
} // namespace postrider::tests::api_test
