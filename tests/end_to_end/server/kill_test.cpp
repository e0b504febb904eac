// The process dies, freezes or is told to stop, at every named point and at random. Whatever
// happens, the oracle must hold afterwards.
//
// POSTRIDER_KILLS says how often crash.at_random_loses_nothing kills. A campaign of 1,000 takes longer
// than ctest gives a test; with POSTRIDER_LONG=1 it has an hour.
#include "base/fault.hpp"
#include "tests/end_to_end/server/scene.hpp"

#include <gmock/gmock.h>

#include <array>
#include <random>
#include <set>

namespace postrider::tests::kill_test {

namespace {

using namespace std::chrono_literals;

bool long_run() {
    return std::getenv("POSTRIDER_LONG") != nullptr;
}

int random_kills() {
    if (auto const* set = std::getenv("POSTRIDER_KILLS")) return std::stoi(set);
    return long_run() ? 40 : 5;
}

// Every text was answered, whatever else was.
testing::AssertionResult all_answered(scene& s, std::vector<std::string> const& texts) {
    std::string all;
    for (auto const& text : s.texts()) all += text + "\n";
    for (auto const& text : texts)
        if (all.find(text) == all.npos)
            return testing::AssertionFailure() << "no answer to '" << text << "'\n"
                                               << s.product().log();
    return testing::AssertionSuccess();
}

class killed : public testing::TestWithParam<std::string> {};

// covers: E.02 E.08 E.14
TEST_P(killed, goes_on_where_it_was) {
    scene s;
    fake_tool_call call;
    call.name = "calculator";
    call.arguments = {{"expression", "1+1"}};
    s.models.script(fake_reply::calling({call}));
    s.product().start({{"POSTRIDER_FAULTS", GetParam() + ":kill"}});

    s.say(alice, "first");
    ASSERT_TRUE(s.product().wait_for_exit(30s)) << "the fault point was not reached\n"
                                                << s.product().log();
    s.say(alice, "second question");
    s.say(bob, "third question");
    s.product().start();

    ASSERT_TRUE(
        s.comes_true("select count(*) = 3 from postrider.job where state = 'completed'", 30s)
    ) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_TRUE(all_answered(s, {"second question", "third question"}));
    s.check_oracle();
    EXPECT_EQ(s.product().stop(), 0) << s.product().log();
}

std::vector<std::string> fault_points() {
    std::vector<std::string> all;
    // A turn meets all but these, which have tests of their own.
    std::array<std::string_view, 3> const elsewhere{"schedule.", "hook.", "tasks."};
    for (auto name : base::fault::names()) {
        auto const begins = [name](std::string_view part) { return name.starts_with(part); };
        if (std::ranges::none_of(elsewhere, begins)) all.emplace_back(name);
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(at, killed, testing::ValuesIn(fault_points()), [](auto const& each) {
    auto name = each.param;
    std::ranges::replace(name, '.', '_');
    return name;
});

// covers: E.08
TEST(crash, never_pays_a_recorded_model_call_again) {
    scene s;
    s.models.script(fake_reply::saying("paid once"));
    s.product().start({{"POSTRIDER_FAULTS", "checkpoint.after_commit:kill"}});
    s.say(alice, "costly question");
    ASSERT_TRUE(s.product().wait_for_exit(30s)) << s.product().log();

    s.product().start();

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_EQ(s.models.requests().size(), 1u);
    EXPECT_THAT(s.texts(), testing::ElementsAre("paid once"));
    s.check_oracle();
}

// covers: E.14
TEST(crash, marks_the_reply_that_may_have_been_sent_twice) {
    scene s;
    s.product().start({{"POSTRIDER_FAULTS", "turn.after_send:kill"}});
    s.say(alice, "hello");
    ASSERT_TRUE(s.product().wait_for_exit(30s)) << s.product().log();

    s.product().start();

    ASSERT_TRUE(s.settles()) << s.product().log();
    EXPECT_EQ(s.texts().size(), 2u) << "sent, killed before that was recorded, sent again";
    EXPECT_EQ(s.value("select flagged from postrider.effect"), "t");
    EXPECT_EQ(s.value("select count(*) from postrider.effects_in_doubt"), "1");
    s.check_oracle();
}

// covers: X.01 E.14
TEST(crash, between_a_message_and_its_document_sends_neither_twice) {
    for (auto const* kill : {"turn.before_send:kill:2", "checkpoint.after_commit:kill:2"}) {
        scene s;
        s.models.script(fake_reply::saying("Begins. " + std::string(30'000, 'x')));
        s.product().start({{"POSTRIDER_FAULTS", kill}});
        s.say(alice, "tell me all of it");
        ASSERT_TRUE(s.product().wait_for_exit(30s)) << kill << "\n" << s.product().log();

        s.product().start();

        ASSERT_TRUE(s.settles()) << s.product().log();
        ASSERT_EQ(s.texts().size(), 1u) << kill;
        EXPECT_TRUE(s.texts()[0].starts_with("Begins. x"));
        auto const documents = s.telegram.calls("sendDocument");
        ASSERT_EQ(documents.size(), 1u) << kill;
        EXPECT_GT(documents[0].message, s.telegram.sent()[0].message);
        EXPECT_EQ(
            s.value(
                "select string_agg(key || ' ' || state, ', ' order by key) from postrider.effect"
            ),
            "reply/send done, reply/send#2 done"
        );
        s.check_oracle();
    }
}

// In company once, and three times alone; a node that has lived for long enough tries it again.
// covers: E.09 E.14
TEST(crash, of_each_process_by_one_turn_is_told_to_its_person) {
    scene s;
    environment const deadly{{"POSTRIDER_FAULTS", "turn.before_send:kill"}};
    auto const dies = [&s] {
        s.database.execute("update postrider.node set started_at = started_at - interval '2 min'");
        return s.product().wait_for_exit(100ms);
    };
    s.product().start(deadly);
    s.say(alice, "deadly question");
    ASSERT_TRUE(s.product().wait_for_exit(30s)) << s.product().log();
    for (int death = 1; death <= 3; ++death) {
        s.product().launch(deadly);
        ASSERT_TRUE(eventually(dies, 60s)) << s.product().log();
    }

    s.product().start();

    ASSERT_TRUE(s.settles()) << s.product().log();
    EXPECT_EQ(
        s.value("select string_agg(concat_ws(' ', kind, state, lost, error_class), ', ' order by "
                "job_id) from postrider.job"),
        "turn failed 3 lost, failure_notice completed 0"
    );
    EXPECT_EQ(s.texts().size(), 1u) << "the answer was never sent, the word on the failure was";
    EXPECT_EQ(s.value("select count(*) from postrider.message where delivery = 'pending'"), "0");
    EXPECT_EQ(s.product().stop(), 0) << s.product().log();
}

// Now and then the process lives until everything is answered, so that a long campaign does not only
// add to what waits.
// covers: E.02 E.14
TEST(crash, at_random_loses_nothing) {
    constexpr int kills_between_looks = 40;
    scene s;
    std::mt19937 chance{std::random_device{}()};
    auto const kills = random_kills();
    std::vector<std::string> asked;

    for (int kill = 1; kill <= kills; ++kill) {
        s.product().start();
        for (int n = 0; n < 6; ++n) {
            asked.push_back("question " + std::to_string(kill) + "-" + std::to_string(n) + ".");
            s.say(n % 2 ? alice : bob, asked.back());
        }
        auto const moment = std::chrono::milliseconds{chance() % 60};
        s.product().wait_for_exit(moment); // it does not exit: this is the wait before the kill
        s.product().kill();
        if (kill % kills_between_looks != 0 && kill != kills) continue;

        s.product().start();
        ASSERT_TRUE(eventually([&] { return s.telegram.pending() == 0; }, 60s))
            << "after " << kill << " kills\n"
            << s.product().log();
        ASSERT_TRUE(s.settles(60s)) << "after " << kill << " kills\n" << s.product().log();
        // It is the kills that end the processes, and none of the jobs.
        ASSERT_EQ(
            s.value("select count(distinct content) from postrider.message where role = 'user' "
                    "and job_id in (select job_id from postrider.job where state = 'completed')"),
            std::to_string(asked.size())
        ) << "after "
          << kill << " kills\n"
          << s.product().log();
        if (kill != kills) s.product().kill();
    }
    s.check_oracle();
}

// covers: E.15
TEST(shutdown, costs_no_attempt) {
    scene s(environment{{"POSTRIDER_DRAIN_TIMEOUT", "200ms"}});
    auto held = fake_reply::saying("too late");
    held.hold = true;
    s.models.script(held);
    s.models.script(fake_reply::saying("in time"));
    s.product().start();
    s.say(alice, "hello");
    ASSERT_TRUE(s.models.wait_for_requests(1, 10s)) << s.product().log();

    EXPECT_EQ(s.product().stop(), 0) << s.product().log();

    EXPECT_EQ(
        s.value("select state || ' ' || run_no || ' ' || lost from postrider.job"), "available 0 0"
    );
    EXPECT_EQ(s.value("select count(*) from postrider.node"), "0");
    s.models.release();
    s.product().start();
    ASSERT_TRUE(s.replies(1)) << s.product().log();
    EXPECT_THAT(s.texts(), testing::ElementsAre("in time"));
    ASSERT_TRUE(s.settles());
    s.check_oracle();
}

TEST(shutdown, lets_a_turn_finish_that_is_nearly_done) {
    scene s;
    auto slow = fake_reply::saying("just in time");
    slow.delay = 400ms;
    s.models.script(slow);
    s.product().start();
    s.say(alice, "hello");
    ASSERT_TRUE(s.models.wait_for_requests(1, 10s));

    EXPECT_EQ(s.product().stop(), 0);

    EXPECT_THAT(s.texts(), testing::ElementsAre("just in time"));
    EXPECT_EQ(s.value("select state from postrider.job"), "completed");
}

// covers: E.09 E.17
TEST(neighbour, takes_over_the_turns_of_a_killed_process) {
    scene s;
    auto held = fake_reply::saying("never seen");
    held.hold = true;
    s.models.script(held);
    s.models.script(fake_reply::saying("from the neighbour"));
    s.product().start();
    auto other = s.neighbour();
    other->start();
    s.say(alice, "hello");
    ASSERT_TRUE(s.models.wait_for_requests(1, 10s)) << s.product().log();

    s.product().kill();

    ASSERT_TRUE(s.replies(1, 10s)) << other->log();
    EXPECT_THAT(s.texts(), testing::ElementsAre("from the neighbour"));
    ASSERT_TRUE(s.settles());
    EXPECT_EQ(s.value("select run_no || ' ' || lost from postrider.job"), "2 0");
    s.models.release();
    s.check_oracle();
}

// A process that was stopped for long and wakes up must not send what another has sent since.
// covers: E.09
TEST(neighbour, takes_over_from_a_frozen_process_which_then_changes_nothing) {
    scene s;
    auto held = fake_reply::saying("from the frozen one");
    held.hold = true;
    s.models.script(held);
    s.models.script(fake_reply::saying("from the neighbour"));
    s.product().start();
    auto other = s.neighbour();
    other->start();
    s.say(alice, "hello");
    ASSERT_TRUE(s.models.wait_for_requests(1, 10s)) << s.product().log();

    s.product().freeze();
    ASSERT_TRUE(s.replies(1, 60s)) << other->log();
    s.models.release(); // its answer now waits in the frozen one's socket
    s.product().thaw();
    ASSERT_TRUE(s.settles());
    ASSERT_TRUE(eventually([&] {
        return s.product().log().find("node.was_rescued") != std::string::npos;
    })) << s.product().log();

    EXPECT_THAT(s.texts(), testing::ElementsAre("from the neighbour"));
    EXPECT_EQ(s.value("select count(*) from postrider.step where key = 'assistant/model'"), "1");
    s.check_oracle();
}

} // namespace

} // namespace postrider::tests::kill_test
