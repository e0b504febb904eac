// The job by which Telegram hears of a person's word on a member.
#include "agent/moderation/by_hand.hpp"
#include "base/json/json.hpp"
#include "tests/support/fake_workflow.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::by_hand_test {
namespace {

using testing::SizeIs;

struct ordering_world {
    tests::loop io;
    tests::message_table table;
    tests::fake_record record;
    tests::recording_chat chat;

    queue::outcome run(std::int64_t author, std::string_view act) {
        queue::job job;
        job.input = boost::json::object{
            {"bot", 1},
            {"chat", -100},
            {"thread", 0},
            {"author", author},
            {"act", act},
            {"whose", "owner"}};
        tests::fake_workflow flow(job, record);
        queue::workflow steps(flow);
        auto const kind = make_acts_by_hand(chat, table);
        auto outcome = io.run(kind.run(steps));
        flow.finish(outcome);
        return outcome;
    }
    moderation const& done() const { return chat.moderated.at(0).second; }
};

// covers: X.09
TEST(act_by_hand, is_known_to_the_filter_once_it_is_done) {
    ordering_world w;

    w.run(7, "ban");

    EXPECT_TRUE(w.record.effects.contains("ban"));
    EXPECT_EQ(w.chat.moderated.at(0).first, chat_id{-100});
    EXPECT_EQ(std::get<ban_member>(w.done()).user, user_id{7});
    ASSERT_THAT(w.record.writes, SizeIs(2)) << "the ban, and refusals before it";
    EXPECT_EQ(base::parse_json(w.record.writes[0].row).value().at("whose"), "owner");
}

// covers: X.02 X.09
TEST(act_by_hand, bans_nobody_who_was_let_in_while_the_ban_waited) {
    ordering_world w;
    w.table.undone = true;

    auto const outcome = w.run(7, "ban");

    EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    EXPECT_THAT(w.chat.moderated, SizeIs(0));
    EXPECT_THAT(w.record.writes, SizeIs(0)) << "the filter knows of no ban";
}

// covers: X.02 S4.17
TEST(act_by_hand, makes_way_for_a_press_of_somebody_who_may_undo_it) {
    for (auto const standing : {member_standing::administrator, member_standing::member}) {
        ordering_world w;
        chat_member presser;
        presser.user = user_id{5};
        presser.standing = standing;
        presser.may_restrict = true;
        w.chat.members[presser.user] = presser;
        w.table.undoing = presser.user;

        w.run(7, "ban");

        bool const may = standing == member_standing::administrator;
        EXPECT_THAT(w.chat.moderated, SizeIs(may ? 0 : 1));
    }
}

TEST(act_by_hand, bans_a_channel_as_a_chat) {
    ordering_world w;

    w.run(-300, "ban");

    EXPECT_EQ(std::get<ban_sender_chat>(w.done()).chat, chat_id{-300});
}

TEST(act_by_hand, undoes_what_was_done) {
    ordering_world unbanned, released;

    unbanned.table.undone = released.table.undone = true;
    unbanned.run(7, "unban");
    released.run(7, "release");

    EXPECT_EQ(std::get<unban_member>(unbanned.done()).user, user_id{7});
    EXPECT_THAT(unbanned.chat.moderated, SizeIs(1));
    ASSERT_THAT(released.chat.moderated, SizeIs(2));
    EXPECT_TRUE(std::get<restrict_member>(released.chat.moderated[1].second).may_send);
    EXPECT_THAT(released.record.writes, SizeIs(0)) << "what the filter knows changed before";
}

TEST(act_by_hand, fails_where_telegram_refuses_and_where_it_is_none) {
    ordering_world w, other;
    for (int times = 0; times < 10; ++times)
        w.chat.moderation_failures.push_back(base::error(base::errc::refused, "no right"));

    auto const refused = w.run(7, "ban");
    auto const none = other.run(7, "hug");

    EXPECT_EQ(refused.state, queue::job_state::failed);
    EXPECT_THAT(w.record.writes, SizeIs(0)) << "nobody is banned";
    EXPECT_EQ(none.state, queue::job_state::failed);
    EXPECT_THAT(other.chat.moderated, SizeIs(0));
}

} // namespace
} // namespace postrider::agent::by_hand_test
