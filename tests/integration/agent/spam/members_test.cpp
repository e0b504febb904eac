// covers: X.09
#include "agent/spam/store/members.hpp"
#include "agent/spam/store/rows.hpp"
#include "agent/spam/store/verdicts.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::spam::members_test {
namespace {

using namespace std::chrono_literals;

constexpr chat_id group{-100};
constexpr user_id ada{7};

class spam_members : public testing::Test {
protected:
    void run(std::function<void(storage::transaction&)> const& work) {
        auto const done = storage::run_blocking(database_.options(), work);
        ASSERT_TRUE(done) << to_string(done.error());
    }

    member of(user_id user) {
        member stored;
        run([&](storage::transaction& tx) { stored = find_member(tx, group, user); });
        return stored;
    }

    int strike(std::chrono::seconds window) {
        int count = 0;
        run([&](storage::transaction& tx) { count = add_strike(tx, group, ada, window); });
        return count;
    }

    tests::test_database database_;
};

TEST_F(spam_members, are_approved_by_a_person) {
    run([](storage::transaction& tx) { approve(tx, group, ada, "user:1"); });

    EXPECT_EQ(of(ada).approved_by, "user:1");
    EXPECT_FALSE(of(user_id{8}).approved_at);
    run([](storage::transaction& tx) { disapprove(tx, group, ada); });
    EXPECT_EQ(of(ada).messages, 0);
    EXPECT_FALSE(of(ada).approved_at);
}

TEST_F(spam_members, collect_strikes_within_a_window) {
    EXPECT_EQ(strike(1h), 1);
    EXPECT_EQ(strike(1h), 2);
    database_.execute(
        "update postrider.spam_member set strikes[1] = postrider.now() - interval '2 hours'"
    );
    EXPECT_EQ(strike(1h), 2);
    for (int count = 0; count < 30; ++count) strike(1h);
    EXPECT_EQ(of(ada).strikes, 20);
}

TEST_F(spam_members, lose_strikes_and_ban_together) {
    strike(1h);
    run([](storage::transaction& tx) { ban(tx, group, ada, "user:1"); });
    EXPECT_EQ(of(ada).banned_by, "user:1");

    run([](storage::transaction& tx) { apply(tx, {unban_row({group, ada, "user:2"})}); });

    EXPECT_FALSE(of(ada).banned_at);
    EXPECT_EQ(of(ada).strikes, 0);
    EXPECT_EQ(of(ada).approved_by, "user:2");
}

TEST_F(spam_members, have_a_verdict_for_each_wording) {
    judged_message judged{group, 5, message_of("hello all")};
    judged.content.author.id = base::raw(ada);
    auto const record = [&] {
        run([&](storage::transaction& tx) {
            record_verdict(tx, judged, judge(judged.content, default_knowledge()));
        });
    };
    record();
    judged.content.text = "Hello, all!"; // folded the same
    record();
    judged.content.text = "see t.me/+abcdefgh";
    record();

    std::vector<stored_verdict> verdicts;
    run([&](storage::transaction& tx) { verdicts = verdicts_of(tx, group, 5); });

    ASSERT_EQ(verdicts.size(), 2U);
    EXPECT_EQ(verdicts[0].text, "see t.me/+abcdefgh");
    EXPECT_EQ(verdicts[1].text, "Hello, all!");
    EXPECT_EQ(verdicts[0].user, ada);
    EXPECT_FALSE(verdicts[0].checks.as_array().empty());
}

TEST_F(spam_members, are_forgotten_in_time_and_on_demand) {
    auto message = message_of("hello all");
    message.author.id = base::raw(ada);
    run([&](storage::transaction& tx) {
        record_verdict(tx, {group, 5, message}, judge(message, default_knowledge()));
        approve(tx, group, ada, "user:1");
    });
    database_.execute(
        "insert into postrider.spam_recent (chat_id, user_id, wording, characters, sent_at) "
        "values (-100, 7, 1, 9, postrider.now() - interval '25 hours')"
    );

    EXPECT_EQ(database_.value("select postrider.prune_spam()"), "1"); // the recent message is old
    database_.execute("select postrider.erase_spam(7)");

    EXPECT_EQ(database_.value("select count(*) from postrider.spam_verdict"), "0");
    EXPECT_FALSE(of(ada).approved_at);
}

} // namespace
} // namespace postrider::agent::spam::members_test
