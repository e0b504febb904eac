// What the node that obeys administrators says in the group: warnings, thanks for reports, and why nothing was done.
// covers: X.09
#include "tests/unit/agent/flow/obedient_group.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::spam_command_answers_test {
namespace {

namespace json = boost::json;
using namespace commanding;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(spam_command, touches_neither_the_linked_channel_nor_an_anonymous_administrator) {
    for (auto const* word : {"/spam", "/ham", "/ban", "/warn"}) {
        obedient_group w;
        w.is_own_voice = true;
        auto const outcome = w.say(word);

        EXPECT_THAT(w.chat.moderated, IsEmpty()) << word;
        EXPECT_THAT(w.rows("record_catches"), IsEmpty());
        EXPECT_THAT(w.rows("train_samples"), IsEmpty());
        EXPECT_THAT(flow_world::ended(outcome), HasSubstr("I did nothing")) << word;
        ASSERT_THAT(w.chat.sent, SizeIs(1)) << word;
        EXPECT_EQ(w.chat.sent[0].to.chat, group);
        EXPECT_THAT(w.chat.sent[0].content.text, HasSubstr("an administrator of the group"));
        EXPECT_FALSE(outcome.degraded) << "nothing has failed";
    }
    obedient_group w({{"admin_chat", base::raw(admins)}, {"reports", 1}});
    w.is_own_voice = true;
    w.is_approved = true;
    w.say("/report");
    EXPECT_THAT(w.rows("report_spam"), IsEmpty());
    ASSERT_THAT(w.chat.sent, SizeIs(1));
    EXPECT_EQ(w.chat.sent[0].to.chat, group) << "the admin chat hears nothing";
}

TEST(spam_command, does_nothing_about_messages_of_administrators_and_of_the_bot) {
    for (auto const* word : {"/spam", "/ham", "/ban", "/warn"})
        for (bool const is_of_bot : {true, false}) {
            obedient_group w({{"admin_chat", base::raw(admins)}});
            w.is_of_bot = is_of_bot;
            w.is_archived = !is_of_bot;
            if (!is_of_bot) w.chat.administrators.push_back(w.chat.administrators.front());
            if (!is_of_bot) w.chat.administrators.back().user = eve;
            auto const outcome = w.say(word);

            EXPECT_EQ(word_of(outcome), std::string_view(word).substr(1));
            EXPECT_THAT(w.chat.moderated, IsEmpty()) << word;
            EXPECT_THAT(w.rows("record_catches"), IsEmpty());
            EXPECT_THAT(w.rows("train_samples"), IsEmpty());
            EXPECT_THAT(w.rows("approve_members"), IsEmpty());
            ASSERT_THAT(w.chat.sent, SizeIs(1)) << word;
            EXPECT_THAT(
                w.chat.sent[0].content.text,
                HasSubstr(is_of_bot ? "This message is mine" : "from an administrator")
            );
        }
}

TEST(spam_command, warns_until_it_bans) {
    obedient_group w({{"warnings", 2}});
    EXPECT_EQ(word_of(w.say("/warn")), "warn");
    EXPECT_THAT(w.operations(), ElementsAre("delete", "delete"));
    EXPECT_EQ(w.rows("record_catches")[0].at("is_strike"), true);
    EXPECT_THAT(w.looked_for, HasSubstr(R"("acts":true)")) << "a warning of what a dry run caught";
    ASSERT_THAT(w.chat.sent, SizeIs(1));
    EXPECT_THAT(w.chat.sent[0].content.text, HasSubstr("Eve: warning 1 of 2. Warning 2 means"));

    obedient_group second({{"warnings", 2}});
    second.strikes = 1;
    second.say("/warn");
    EXPECT_THAT(second.operations(), ElementsAre("delete", "delete", "ban"));
    ASSERT_THAT(second.chat.sent, SizeIs(1));
    EXPECT_THAT(
        second.chat.sent[0].content.text, HasSubstr("warning 2 of 2. The author is banned")
    );
}

TEST(spam_command, tells_the_admin_chat_when_enough_members_report) {
    json::object const parameters{{"admin_chat", base::raw(admins)}, {"reports", 2}};
    obedient_group w(parameters);
    w.make_admin(agent::member_standing::member, false);
    w.is_approved = true;
    EXPECT_EQ(word_of(w.say("/report")), "report");
    EXPECT_THAT(w.rows("report_spam"), SizeIs(1));
    ASSERT_THAT(w.chat.sent, SizeIs(1));
    EXPECT_EQ(w.chat.sent[0].to.chat, group) << "who reports gets an answer";
    EXPECT_THAT(w.chat.sent[0].content.text, HasSubstr("1 of the 2 reports"));

    obedient_group enough(parameters);
    enough.is_approved = true;
    enough.reports = 1;
    enough.say("/report");
    ASSERT_THAT(enough.chat.sent, SizeIs(2));
    EXPECT_THAT(enough.chat.sent[0].content.text, HasSubstr("Members report a message from Eve"));
    EXPECT_THAT(enough.chat.sent[1].content.text, HasSubstr("The administrators are asked"));
    EXPECT_THAT(enough.operations(), ElementsAre("delete")) << "the command alone";
}

TEST(spam_command, passes_on_reports_of_strangers_and_where_they_are_off) {
    obedient_group stranger;
    stranger.say("/report");
    EXPECT_THAT(stranger.rows("report_spam"), IsEmpty());

    obedient_group off({{"reports", 0}});
    off.is_approved = true;
    off.say("/report");
    EXPECT_THAT(off.rows("report_spam"), IsEmpty());
}

} // namespace
} // namespace postrider::tests::spam_command_answers_test
