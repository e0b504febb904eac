// Turns at closed gates: a bot whose token is refused, a provider that asks for a pause or is down.
#include "tests/end_to_end/server/scene.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace postrider::tests::limits_test {

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

// Alice asks, and Telegram refuses the bot's token from then on.
void stop_the_bot(scene& s) {
    s.introduce();
    fault_order order;
    order.times = -1;
    order.fault = fake_telegram::unauthorized();
    s.telegram.fail(order);
    s.say(alice, "are you there?");
    ASSERT_TRUE(s.comes_true("select count(*) = 1 from postrider.waiting_jobs where reason = "
                             "'breaker bot:main is open: its token was refused'")
    ) << s.product().log();
}

// covers: X.02
TEST(limits, a_turn_waits_for_a_stopped_bot_and_is_delivered_when_its_token_works) {
    scene s;
    s.product().start();
    stop_the_bot(s);

    EXPECT_EQ(s.value("select count(*) from postrider.busy_lane where node_id is not null"), "0");
    EXPECT_TRUE(eventually([&] {
        auto const metrics = get(s.product().port(), "/metrics").body;
        return metrics.find("postrider_engine_slots_busy 0\n") != std::string::npos;
    })) << "the slot is given back just after the commit that parks the turn";
    EXPECT_EQ(
        s.value("select state from postrider.effect order by job_id desc limit 1"), "planned"
    );
    auto const asked = s.models.requests().size();
    s.telegram.clear_faults();
    s.value("select postrider.bucket_report('bot:main', 'works')");

    ASSERT_TRUE(s.replies(3)) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_EQ(s.models.requests().size(), asked) << "the answer was kept";
    EXPECT_EQ(
        s.value("select count(*) from postrider.effect where flagged or state <> 'done'"), "0"
    );
    s.check_oracle();
}

// covers: X.02
TEST(limits, a_stopped_bot_works_again_after_a_start_with_a_good_token) {
    scene s;
    s.product().start();
    stop_the_bot(s);
    s.product().kill();
    s.telegram.clear_faults();

    s.product().start();

    ASSERT_TRUE(s.replies(3)) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_EQ(s.value("select breaker from postrider.limits where name = 'bot:main'"), "closed");
    s.check_oracle();
}

TEST(limits, a_provider_that_asks_for_a_pause_is_left_alone_by_all_chats) {
    scene s;
    auto busy = fake_reply::failing(429);
    busy.retry_after = 4;
    s.models.script(busy);
    s.product().start();

    s.say(alice, "first");
    ASSERT_TRUE(s.models.wait_for_requests(1, 10s)) << s.product().log();
    ASSERT_TRUE(s.comes_true("select count(*) = 1 from postrider.limits where breaker = 'open'"));
    s.say(bob, "second");
    ASSERT_TRUE(s.comes_true("select count(*) = 1 from postrider.waiting_jobs where reason like "
                             "'breaker provider:anthropic is open until %'")
    ) << s.product().log();
    EXPECT_EQ(s.models.requests().size(), 1u);

    ASSERT_TRUE(s.replies(2)) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_EQ(s.models.requests().size(), 3u);
    EXPECT_EQ(s.value("select breaker from postrider.limits"), "closed");
    s.check_oracle();
}

// After a pause one call is the trial; the others wait for its answer to begin, not for its end.
TEST(limits, a_long_answer_after_a_pause_holds_up_no_other_chat) {
    scene s;
    std::ofstream(s.product().folder() / "postrider.toml")
        << "[models.default]\nprovider = 'anthropic'\nmodel = 'claude-haiku-4-5'\nstream = "
           "'always'\n";
    auto busy = fake_reply::failing(429);
    busy.retry_after = 3;
    auto slow = fake_reply::saying("a long story");
    slow.hold = true;
    s.models.script(busy);
    s.models.script(slow);
    s.models.script(fake_reply::saying("quick"));
    s.product().start();

    s.say(alice, "tell me a story");
    ASSERT_TRUE(s.models.wait_for_requests(2, 20s)) << s.product().log();
    ASSERT_TRUE(s.comes_true("select count(*) = 1 from postrider.limits where breaker = 'closed'"));
    s.say(bob, "hello");

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    EXPECT_EQ(s.models.requests().size(), 3u);
    s.models.release();
    ASSERT_TRUE(s.replies(2)) << s.product().log();
    ASSERT_TRUE(s.settles());
    s.check_oracle();
}

TEST(limits, a_provider_that_hangs_opens_its_breaker) {
    scene s;
    std::ofstream(s.product().folder() / "postrider.toml")
        << "[models.default]\nprovider = 'anthropic'\nmodel = 'claude-haiku-4-5'\ntimeout = '1s'\n";
    s.value("select postrider.bucket_report('provider:anthropic', 'failure', 4)");
    auto silence = fake_reply::saying("too late");
    silence.hold = true;
    s.models.script(silence);
    s.product().start();

    s.say(alice, "are you there?");

    ASSERT_TRUE(s.comes_true("select count(*) = 1 from postrider.limits where name = "
                             "'provider:anthropic' and breaker = 'open'")
    ) << s.product().log();
    EXPECT_EQ(
        s.value("select reason from postrider.bucket where name = 'provider:anthropic'"),
        "unavailable"
    );
}

// covers: S0.05
TEST(limits, a_long_outage_is_told_at_once) {
    scene s;
    s.value("select postrider.bucket_report('provider:anthropic', 'closed_for', 1, 600000, 'down')"
    );
    s.product().start();

    s.say(alice, "are you there?");

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_THAT(s.texts(), ElementsAre(HasSubstr("I cannot reach my language model")));
    EXPECT_TRUE(s.models.requests().empty());
    EXPECT_EQ(
        s.value("select outcome || ' ' || error_class from postrider.step where key = "
                "'assistant/model'"),
        "failed unavailable"
    );
}

} // namespace

} // namespace postrider::tests::limits_test
