#include "base/log.hpp"
#include "server/telegram/webhook.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace postrider::telegram::webhook_test {
namespace {

using base::errc;
using testing::HasSubstr;
using testing::Not;

class scripted_intake final : public intake {
public:
    base::result<accepted> outcome = accepted{true, "job"};
    std::vector<std::string> bodies;
    std::vector<std::string> cut;

    base::awaitable<base::result<accepted>> accept(bot_settings const&, std::string body) override {
        bodies.push_back(std::move(body));
        co_return outcome;
    }
    base::awaitable<base::result<accepted>> accept_cut(bot_settings const&, std::string body)
        override {
        cut.push_back(std::move(body));
        co_return outcome;
    }
};

struct fixture {
    tests::loop loop;
    bot fern;
    scripted_intake inbox;
    base::report_paces refusals;
    net::route route;

    fixture() {
        fern.settings.name = "main";
        fern.webhook_secret = base::secret("s3cr3t");
        route = webhook_route({&fern}, inbox, base::system_random(), refusals);
    }

    static net::http_request request(std::string name, net::header_list headers) {
        net::http_request r;
        r.method = "POST";
        r.params["bot"] = std::move(name);
        r.headers = std::move(headers);
        r.body = "{}";
        return r;
    }

    // The refusal's status; 0: admitted, and its connection proven.
    int gate(std::string name, net::header_list headers) {
        auto const result = route.gate(request(std::move(name), std::move(headers)));
        if (auto const* refusal = std::get_if<net::http_response>(&result)) return refusal->status;
        return std::get<net::admitted>(result).proven ? 0 : 1;
    }

    net::http_response post(bool truncated = false) {
        auto r = request("main", {});
        r.truncated = truncated;
        return loop.run(route.handle(std::move(r)));
    }
};

// covers: E.01
TEST(webhook, only_the_right_secret_gets_past_the_gate) {
    fixture f;
    std::string const header(secret_header);

    EXPECT_EQ(f.gate("main", {{header, "s3cr3t"}}), 0);
    EXPECT_EQ(f.gate("main", {{header, "s3cr3T"}}), 401);
    EXPECT_EQ(f.gate("main", {{header, "s3cr3t "}}), 401);
    EXPECT_EQ(f.gate("main", {{header, ""}}), 401);
    EXPECT_EQ(f.gate("main", {}), 401);
    EXPECT_EQ(f.gate("main", {{header, "s3cr3t"}, {header, "x"}}), 401) << "two are none";
    EXPECT_EQ(f.gate("other", {{header, "s3cr3t"}}), 404);
    f.fern.webhook_secret = {};
    EXPECT_EQ(f.gate("main", {{header, ""}}), 401) << "no secret lets nobody in";
    EXPECT_TRUE(f.inbox.bodies.empty());
}

TEST(webhook, counts_and_logs_wrong_secrets) {
    fixture f;
    std::string const header(secret_header);
    base::log::configure(base::log::level::info, base::log::format::logfmt);
    testing::internal::CaptureStderr();

    for (int i = 0; i < 100; ++i) f.gate("main", {{header, "guess"}});
    f.gate("main", {});
    f.gate("main", {{header, "s3cr3t"}});

    auto const log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(f.refusals.total(), 101u);
    EXPECT_EQ(std::ranges::count(log, '\n'), 1) << log;
    EXPECT_THAT(log, HasSubstr("telegram.webhook_refused bot=main"));
    EXPECT_THAT(log, Not(HasSubstr("guess")));
}

TEST(webhook, logs_the_wrong_secrets_of_each_bot) {
    fixture f;
    bot moss;
    moss.settings.name = "moss";
    moss.webhook_secret = base::secret("other");
    f.route = webhook_route({&f.fern, &moss}, f.inbox, base::system_random(), f.refusals);
    base::log::configure(base::log::level::info, base::log::format::logfmt);
    testing::internal::CaptureStderr();

    for (auto const* name : {"main", "main", "moss", "moss"}) f.gate(name, {});

    auto const log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(f.refusals.total(), 4u);
    EXPECT_EQ(std::ranges::count(log, '\n'), 2) << log;
    EXPECT_THAT(log, HasSubstr("telegram.webhook_refused bot=main"));
    EXPECT_THAT(log, HasSubstr("telegram.webhook_refused bot=moss"));
}

// covers: E.01
TEST(webhook, a_refusal_gives_nothing_away) {
    fixture f;
    std::string const header(secret_header);
    auto refusal = [&](net::header_list headers) {
        auto const result = f.route.gate(fixture::request("main", std::move(headers)));
        return std::get<net::http_response>(result).body;
    };
    auto const without = refusal({});
    EXPECT_EQ(
        without,
        R"({"type":"about:blank","title":"Unauthorized","status":401,"code":"unauthorized","detail":""})"
    );
    EXPECT_EQ(refusal({{header, "s3cr3T"}}), without);
    EXPECT_EQ(refusal({{header, "s3cr3t"}, {header, "x"}}), without);
}

// covers: E.02
TEST(webhook, success_has_an_empty_body_and_keeps_the_connection) {
    fixture f;
    auto const answer = f.post();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "");
    EXPECT_FALSE(answer.close);
}

// covers: E.05
TEST(webhook, what_is_not_stored_is_put_off) {
    fixture f;
    for (auto code :
         {errc::overloaded,
          errc::timeout,
          errc::unavailable,
          errc::ambiguous,
          errc::conflict,
          errc::internal}) {
        f.inbox.outcome = base::error(code);
        auto const answer = f.post();
        EXPECT_EQ(answer.status, 503) << base::to_string(code);
        auto const seconds = std::stoi(std::string(answer.headers.find("Retry-After")));
        EXPECT_GE(seconds, 1);
        EXPECT_LE(seconds, 5);
    }
    f.inbox.outcome = base::error(errc::invalid);
    EXPECT_EQ(f.post().status, 400);
}

TEST(webhook, a_body_beyond_the_limit_goes_its_own_way) {
    fixture f;
    EXPECT_EQ(f.route.when_oversize, net::oversize::truncate);
    EXPECT_EQ(f.post(true).status, 200);
    EXPECT_EQ(f.inbox.cut.size(), 1u);
    EXPECT_TRUE(f.inbox.bodies.empty());
}

} // namespace
} // namespace postrider::telegram::webhook_test
