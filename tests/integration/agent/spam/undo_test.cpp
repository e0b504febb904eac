// What an undo ends and teaches: a ban that waits, and the words that a member is banned for.
// covers: X.09
#include "agent/spam/store/members.hpp"
#include "agent/spam/store/rows.hpp"
#include "agent/spam/store/undo.hpp"
#include "tests/integration/agent/spam/catches_world.hpp"

namespace postrider::agent::spam::undo_test {
namespace {

using namespace caught_spam;

class spam_undo : public catches_world {};

// covers: X.02
TEST_F(spam_undo, know_who_wants_to_undo_an_act_behind_it) {
    database_.execute("insert into postrider.lane (lane_key) values ('moderation:1:-100:0')");
    auto const lane = value("select lane_id from postrider.lane");
    auto const press = [&](int job, std::string const& data, std::string const& more = "") {
        database_.execute(
            "insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, "
            "input) values (" +
            std::to_string(job) + ", " + lane + ", 1, 1, 'available', 'catch_press', '{\"user\": " +
            std::to_string(job) + ", \"data\": \"" + data + "\"" + more + "}')"
        );
    };
    press(59, "spam:ham:-100:50:7");
    press(61, "spam:ban:-100:50:7");
    press(62, "spam:ham:-100:50:8");
    press(63, "spam:ham:-100:50:7");
    press(64, "spam:ham:-100:51:7", ", \"is_owner\": true");

    planned_act_on_member const planned{job_id{60}, lane_id{std::stoll(lane)}, "ban", group, eve};
    auto const state = io_.run(look_for_undo(*batches_, planned, 5s)).value();

    EXPECT_FALSE(state.is_undone);
    ASSERT_EQ(state.waiting.size(), 2u);
    EXPECT_EQ(state.waiting[0].presser, user_id{63});
    EXPECT_FALSE(state.waiting[0].is_owner);
    EXPECT_EQ(state.waiting[1].presser, user_id{64});
    EXPECT_TRUE(state.waiting[1].is_owner);
}

// A ban that waited in the lane is planned once its job runs.
// covers: X.02
TEST_F(spam_undo, by_hand_counts_also_for_a_ban_that_was_ordered_before_and_is_planned_later) {
    database_.execute("insert into postrider.lane (lane_key) values ('moderation:1:-100:0')");
    auto const lane = value("select lane_id from postrider.lane");
    auto const order = [&](int job, std::string const& act, int author) {
        database_.execute(
            "insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, "
            "input) values (" +
            std::to_string(job) + ", " + lane +
            ", 1, 1, 'available', 'moderation_by_hand', '{\"act\": \"" + act +
            "\", \"author\": " + std::to_string(author) + "}')"
        );
    };
    planned_act_on_member const planned{job_id{60}, lane_id{std::stoll(lane)}, "ban", group, eve};
    auto const is_undone = [&] {
        return io_.run(look_for_undo(*batches_, planned, 5s)).value().is_undone;
    };
    order(59, "unban", 7);
    order(61, "ban", 7);
    order(62, "unban", 8);
    EXPECT_FALSE(is_undone());

    order(63, "unban", 7);

    EXPECT_TRUE(is_undone());
}

TEST_F(spam_undo, are_undone_as_far_as_they_banned_their_author) {
    auto removed = caught(50);
    removed.action = catch_action::remove;
    removed.text = "only deleted";
    auto later = caught(52);
    later.text = "earn more";
    commit({catch_row(removed, true), catch_row(caught(51), true), catch_row(later, true)});
    run([](storage::transaction& tx) {
        auto const bans = find_bans(tx, group, eve);
        ASSERT_EQ(bans.size(), 2u);
        apply(tx, unban_rows({group, eve, "user:5"}, bans));
        EXPECT_TRUE(find_bans(tx, group, eve).empty());
    });

    EXPECT_EQ(
        value("select string_agg(content, ',' order by content) from postrider.spam_sample "
              "where kind = 'ham' and trained_by = 'user:5'"),
        "earn money now,earn more"
    );
    EXPECT_EQ(value("select approved_by from postrider.spam_member"), "user:5");
}

// covers: X.02
TEST_F(spam_undo, know_what_was_undone_since_an_act_was_planned) {
    auto const is_undone = [&](std::string act) {
        planned_act_on_member const planned{job_id{60}, lane_id{1}, std::move(act), group, eve};
        return io_.run(look_for_undo(*batches_, planned, 5s)).value().is_undone;
    };
    auto const plan = [&](std::string const& key) {
        database_.execute(
            "insert into postrider.effect (job_id, key, kind, class, state) values (60, '" + key +
            "', 'telegram.moderate', 'idempotent', 'started')"
        );
    };
    run([](storage::transaction& tx) { approve(tx, group, eve, "user:5"); });
    plan("Act/act");
    EXPECT_FALSE(is_undone("act")) << "that was before";

    commit({catch_row(caught(50), true)});
    commit(undo_rows(caught(50), "user:5"));
    plan("Obey/condemn-ban");

    EXPECT_TRUE(is_undone("act"));
    EXPECT_FALSE(is_undone("condemn-ban")) << "a later word";
    EXPECT_FALSE(is_undone("ct")) << "no such act";
    database_.execute("update postrider.spam_member set approved_by = 'messages'");
    EXPECT_FALSE(is_undone("act")) << "no person said so";
}

} // namespace
} // namespace postrider::agent::spam::undo_test
