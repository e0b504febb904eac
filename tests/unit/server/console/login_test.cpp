#include "server/console/login.hpp"

#include "base/log.hpp"
#include "tests/support/loop.hpp"
#include "tests/unit/server/telegram/recording_database.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::console::login_test {
namespace {

using testing::HasSubstr;

net::http_request with_unknown_link() {
    net::http_request request;
    request.method = "POST";
    request.path = "/api/v1/login";
    request.headers = {{"Host", "127.0.0.1:8080"}, {"Sec-Fetch-Site", "same-origin"}};
    request.body = R"({"token": "prl_00"})";
    request.remote = "203.0.113.9";
    return request;
}

// The loop goes first, with the answers that still wait.
struct scene {
    telegram::recording_database db;
    base::manual_clock clock;
    login_desk desk{
        {db,
         api::token_mint(base::secret("key")),
         base::system_random(),
         clock,
         {},
         std::chrono::hours{1}}};
    tests::loop io;
};

TEST(login_desk, slows_failures_down_and_lets_few_of_them_wait) {
    scene with;
    auto const log_in = with.desk.routes().front().handle;
    for (int i = 0; i < 50; ++i)
        boost::asio::co_spawn(
            with.io.executor(), log_in(with_unknown_link()), boost::asio::detached
        );

    auto const next = with.io.run(log_in(with_unknown_link()));

    EXPECT_EQ(next.status, 429);
    EXPECT_EQ(next.headers.find("Retry-After"), "1");
    EXPECT_THAT(next.body, HasSubstr("too_many_logins"));
    EXPECT_EQ(with.desk.refusals(), 51u);
}

TEST(login_desk, counts_failures_and_fills_no_log) {
    scene with;
    auto const log_in = with.desk.routes().front().handle;
    base::log::configure(base::log::level::info, base::log::format::logfmt);
    testing::internal::CaptureStderr();

    for (int i = 0; i < 1000; ++i)
        boost::asio::co_spawn(
            with.io.executor(), log_in(with_unknown_link()), boost::asio::detached
        );
    (void)with.io.run(log_in(with_unknown_link()));

    auto const log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(std::ranges::count(log, '\n'), 1) << log;
    EXPECT_THAT(log, Not(HasSubstr("prl_")));
    EXPECT_EQ(with.desk.refusals(), 1001u);
}

} // namespace
} // namespace postrider::console::login_test
