// Effects that fail for good after a try that may have done them.
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::effect_in_doubt_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using base::errc;
using queue::effect_class;
using queue::outcome;
using queue::workflow;

// The errors of its tries, in order; the last one again and again.
using failures = std::vector<base::error>;

awaitable<queue::step_value> fail_next(failures const& all, std::size_t& tries) {
    co_return all[std::min(tries++, all.size() - 1)];
}

awaitable<outcome> pay(workflow& flow, effect_class as, failures const& all, std::size_t& tries) {
    queue::commit_with decided;
    decided.effects.push_back({.key = "pay", .kind = "test", .effect_class = as, .request = nullptr}
    );
    (void)co_await flow.commit(std::move(decided));
    base::retry_policy const policy{.limit = 2, .delay = 1ms};
    auto const paid = co_await flow.perform("pay", policy, [&] { return fail_next(all, tries); });
    co_return outcome::completed(boost::json::value(base::to_string(paid.error().code)));
}

struct doubt_case {
    std::string name;
    effect_class as;
    failures tries;
    std::string told;  // to the job's function
    std::string state; // of the effect
    std::string flagged = "f";
};

class doubtful_effect : public testing::TestWithParam<doubt_case> {};

// covers: E.14
TEST_P(doubtful_effect, is_told_as_such_whatever_its_last_try_says) {
    auto const& expected = GetParam();
    world w;
    std::size_t tries = 0;
    auto& node = w.start_node({{"pay", [&](workflow& f) {
                                    return pay(f, expected.as, expected.tries, tries);
                                }}});
    w.enqueue(node, w.make_lane("a"), "pay");
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(tries, expected.tries.size());
    EXPECT_EQ(w.value("select output from postrider.job"), "\"" + expected.told + "\"");
    EXPECT_EQ(w.value("select state from postrider.effect"), expected.state);
    EXPECT_EQ(w.value("select flagged from postrider.effect"), expected.flagged);
}

// As of work that was stopped in the middle and says that it had no time.
base::error const stopped{errc::timeout, "took longer than 1s", base::cut_off};
base::error const lost{errc::ambiguous, "no answer"};
base::error const down{errc::unavailable, "connection refused"};
base::error const declined{errc::refused, "no"};

INSTANTIATE_TEST_SUITE_P(
    tries,
    doubtful_effect,
    testing::Values(
        doubt_case{
            "lost_then_down",
            effect_class::at_least_once,
            {lost, down, down},
            "ambiguous",
            "unknown",
            "t"},
        doubt_case{"keyed", effect_class::keyed, {lost, down, down}, "ambiguous", "unknown"},
        doubt_case{
            "idempotent", effect_class::idempotent, {lost, lost, lost}, "ambiguous", "unknown"},
        doubt_case{"declined_then", effect_class::keyed, {lost, declined}, "ambiguous", "unknown"},
        doubt_case{"always_down", effect_class::keyed, {down, down, down}, "unavailable", "failed"},
        doubt_case{"cut_off", effect_class::at_most_once, {stopped}, "ambiguous", "unknown"},
        doubt_case{"pure", effect_class::pure, {lost, lost, lost}, "unavailable", "failed"},
        doubt_case{"never_again", effect_class::at_most_once, {lost}, "ambiguous", "unknown"}
    ),
    [](auto const& tried) { return tried.param.name; }
);

awaitable<queue::step_value> end_when_stopped() {
    try {
        co_await base::sleep_for(1h);
    } catch (boost::system::system_error const&) { // its end is what the test is about
    }
    co_return base::error(errc::unavailable, "stopped");
}

awaitable<outcome> pay_slowly(workflow& flow) {
    queue::commit_with decided;
    queue::effect_intent intent;
    intent.key = intent.kind = "pay";
    intent.effect_class = effect_class::at_most_once;
    decided.effects.push_back(std::move(intent));
    (void)co_await flow.commit(std::move(decided));
    base::retry_policy const policy{.limit = 2, .timeout = 20ms};
    auto const paid = co_await flow.perform("pay", policy, end_when_stopped);
    co_return outcome::completed(boost::json::value(base::to_string(paid.error().code)));
}

// covers: E.14
TEST(effect, that_was_stopped_by_its_time_is_in_doubt_whatever_it_says) {
    world w;
    auto& node = w.start_node({{"pay", pay_slowly}});
    w.enqueue(node, w.make_lane("a"), "pay");
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(w.value("select output from postrider.job"), "\"ambiguous\"");
    EXPECT_EQ(w.value("select state from postrider.effect"), "unknown");
}

// The try whose answer was lost belongs to a run before.
// covers: E.14
TEST(effect, stays_in_doubt_while_its_job_is_parked) {
    world w;
    std::size_t tries = 0;
    auto put_off = lost;
    put_off.retry_after = 1h;
    failures const all{put_off, declined};
    auto& node =
        w.start_node({{"pay", [&](workflow& f) { return pay(f, effect_class::keyed, all, tries); }}}
        );
    w.enqueue(node, w.make_lane("a"), "pay");
    w.until("select state from postrider.job", "retryable");
    w.pass("2 hours");
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(w.value("select output from postrider.job"), "\"ambiguous\"");
    EXPECT_EQ(w.value("select state from postrider.effect"), "unknown");
}

// Whoever gives it up, it may have been done.
// covers: E.14
TEST(effect, that_waits_for_another_try_stays_in_doubt_when_its_job_is_given_up) {
    auto put_off = lost;
    put_off.retry_after = 1h;
    failures const all{put_off, declined};
    for (bool const by_operator : {true, false}) {
        world w;
        std::size_t tries = 0;
        auto& node = w.start_node({{"pay", [&](workflow& f) {
                                        return pay(f, effect_class::keyed, all, tries);
                                    }}});
        w.enqueue(node, w.make_lane("a"), "pay");
        w.until("select state from postrider.job", "retryable");
        w.until([&] { return node.engine->counts().busy == 0; });
        if (by_operator) {
            w.execute("select postrider.job_cancel(job_id) from postrider.job");
        } else {
            w.execute("update postrider.job set deadline_at = now(), due_at = now()");
            w.execute("select postrider.lane_refresh(lane_id) from postrider.lane");
            node.engine->wake();
        }
        w.until("select finished_at is not null from postrider.job", "t");
        EXPECT_EQ(w.value("select state from postrider.effect"), "unknown") << by_operator;
        EXPECT_EQ(tries, 1u);
    }
}

// covers: E.14
TEST(effect, that_is_unknown_is_not_tried_again) {
    world w;
    std::size_t tries = 0;
    auto put_off = lost;
    put_off.retry_after = 1h;
    failures const all{put_off, declined};
    auto& node =
        w.start_node({{"pay", [&](workflow& f) { return pay(f, effect_class::keyed, all, tries); }}}
        );
    w.enqueue(node, w.make_lane("a"), "pay");
    w.until("select state from postrider.job", "retryable");
    w.until([&] { return node.engine->counts().busy == 0; });
    w.execute("update postrider.effect set state = 'unknown'");
    w.pass("2 hours");
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(tries, 1u);
    EXPECT_EQ(w.value("select state from postrider.effect"), "unknown");
}

} // namespace

} // namespace postrider::tests::effect_in_doubt_test
