// Spam in a group of the real binary: what Telegram is asked to do, whatever it answers and wherever the process dies; and
// what administrators decide about it.
#include "tests/end_to_end/server/child.hpp"
#include "tests/end_to_end/server/scene.hpp"
#include "tests/support/flow_builder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::spam_test {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::SizeIs;

constexpr chat_id group{-100200};
constexpr chat_id admins{-100300};
constexpr user_id eve{7100};

// Whatever has the word is spam.
std::string guarding() {
    return flow_builder("guard")
        .trigger("In", "telegram.group")
        .node("Obey", "spam.command", {{"admin_chat", base::raw(admins)}})
        .node("Suspicious", "items.filter", {{"condition", "{{ $json.text.contains('earn') }}"}})
        .node(
            "Judge",
            "set",
            {{"fields",
              {{"verdict",
                {{"spam", true}, {"points", 130}, {"threshold", 100}, {"reason", "Spam: earn"}}}}}}
        )
        .node(
            "Act",
            "spam.act",
            {{"action", "ban"}, {"clean_up", true}, {"admin_chat", base::raw(admins)}}
        )
        .text();
}

// Alice is an administrator of the group, and on no list of the bot.
class guarded_scene : public scene {
public:
    guarded_scene()
        : scene(environment{
              {"POSTRIDER_ALLOWED_CHATS", base::to_string(group) + "," + base::to_string(admins)},
              {"POSTRIDER_ALLOWED_USERS", base::to_string(bob)}}) {
        telegram.set_member(group, telegram.bot().id, "administrator");
        telegram.set_member(group, alice, "administrator");
        telegram.set_member(group, eve, "member");
        telegram.set_member(admins, telegram.bot().id, "administrator");
        auto const file = product().folder() / "guard.json";
        write_file(file, guarding());
        auto const imported = product().run({"flows", "import", file.string(), "--publish"});
        if (imported.code != 0) throw std::runtime_error("not published: " + imported.out);
    }

    telegram::said say_there(user_id person, std::string text, chat_id where = group) {
        telegram::simulated_message message;
        message.from = person;
        message.name = "Eve";
        message.group = where;
        message.text = std::move(text);
        return telegram.say(message);
    }

    std::size_t done(std::string_view method) const {
        std::size_t count = 0;
        for (auto const& call : telegram.calls(method)) count += call.carried_out ? 1 : 0;
        return count;
    }
};

// covers: X.09 S4.01
TEST(spam, is_deleted_with_what_its_author_wrote_before_and_told_the_admin_chat) {
    guarded_scene s;
    s.product().start();
    s.say_there(eve, "hello all");
    s.say_there(eve, "earn money now");

    ASSERT_TRUE(s.telegram.wait_for_sent(1, 20s)) << s.product().log();
    ASSERT_TRUE(s.settles()) << s.product().log();
    EXPECT_EQ(s.done("banChatMember"), 1u);
    EXPECT_EQ(s.done("deleteMessages"), 2u);
    ASSERT_THAT(s.texts(admins), SizeIs(1));
    EXPECT_THAT(s.texts(admins)[0], HasSubstr("earn money now"));
    EXPECT_EQ(
        s.value(
            "select string_agg(content || ':' || (removed_at is not null), ' ' order by job_id) "
            "from postrider.message where role = 'user'"
        ),
        "hello all:true earn money now:true"
    );
    EXPECT_EQ(s.value("select banned_by from postrider.spam_member"), "filter");
    EXPECT_EQ(
        s.value("select string_agg(kind || ':' || state, ' ' order by kind, state) "
                "from postrider.effect where kind = 'telegram.moderate'"),
        "telegram.moderate:done telegram.moderate:done telegram.moderate:done"
    ) << "all of it is in the ledger";
}

// covers: X.09 S4.17
TEST(spam, is_decided_by_administrators_alone) {
    guarded_scene s;
    s.product().start();
    s.say_there(eve, "earn money now");
    ASSERT_TRUE(s.telegram.wait_for_sent(1, 20s)) << s.product().log();
    ASSERT_TRUE(s.settles());

    s.press(eve, admins, "Not spam (unban)");
    ASSERT_TRUE(s.telegram.wait_for_calls("answerCallbackQuery", 1, 20s)) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_EQ(s.done("unbanChatMember"), 0u);
    EXPECT_EQ(s.value("select count(*) from postrider.spam_sample"), "0");
    s.press(alice, admins, "Not spam (unban)");
    ASSERT_TRUE(s.telegram.wait_for_calls("answerCallbackQuery", 2, 20s)) << s.product().log();
    ASSERT_TRUE(s.settles());

    EXPECT_EQ(s.done("unbanChatMember"), 1u);
    EXPECT_EQ(
        s.value("select kind || ' ' || trained_by from postrider.spam_sample"),
        "ham user:" + base::to_string(alice)
    );
    EXPECT_EQ(
        s.value("select (banned_at is null) || ' ' || approved_by from postrider.spam_member"),
        "true user:" + base::to_string(alice)
    );
    EXPECT_EQ(s.done("editMessageText"), 1u);
}

// covers: X.09 X.02
TEST(spam, is_acted_on_through_pauses_and_lost_answers) {
    guarded_scene s;
    s.product().start();
    s.telegram.fail({.method = "banChatMember", .fault = fake_telegram::too_many_requests(1)});
    s.telegram.fail({.method = "deleteMessages", .fault = fake_telegram::lost_answer()});
    s.say_there(eve, "earn money now");

    ASSERT_TRUE(s.telegram.wait_for_sent(1, 30s)) << s.product().log();
    ASSERT_TRUE(s.settles()) << s.product().log();
    EXPECT_EQ(s.done("banChatMember"), 1u);
    EXPECT_GE(s.done("deleteMessages"), 1u);
    EXPECT_EQ(s.value("select cardinality(strikes) from postrider.spam_member"), "1");
    EXPECT_THAT(s.texts(admins), SizeIs(1));
}

// covers: X.09 X.02
TEST(spam, that_is_undone_while_its_ban_waits_bans_nobody) {
    guarded_scene s;
    s.product().start();
    s.telegram.fail({.method = "banChatMember", .fault = fake_telegram::too_many_requests(6)});
    auto const spam = s.say_there(eve, "earn money now");
    ASSERT_TRUE(s.telegram.wait_for_calls("banChatMember", 1, 20s)) << s.product().log();

    auto const undone = s.product().run(
        {"spam", "undo", base::to_string(spam.message), "--chat", base::to_string(group)}
    );

    ASSERT_EQ(undone.code, 0) << undone.out;
    ASSERT_TRUE(s.telegram.wait_for_sent(1, 30s)) << s.product().log();
    ASSERT_TRUE(s.settles()) << s.product().log();
    EXPECT_EQ(s.done("banChatMember"), 0u);
    EXPECT_THAT(s.telegram.calls("unbanChatMember"), SizeIs(1));
    EXPECT_EQ(s.value("select banned_at is null from postrider.spam_member"), "t");
    EXPECT_THAT(s.texts(admins)[0], testing::Not(HasSubstr("the author is banned")));
}

// covers: X.09
TEST(spam, that_the_bot_may_not_touch_is_reported) {
    guarded_scene s;
    s.product().start();
    s.telegram.fail(
        {.method = "deleteMessages", .times = -1, .fault = fake_telegram::cannot_be_deleted()}
    );
    s.telegram.fail(
        {.method = "banChatMember", .times = -1, .fault = fake_telegram::not_enough_rights()}
    );
    s.say_there(eve, "earn money now");

    ASSERT_TRUE(s.telegram.wait_for_sent(1, 30s)) << s.product().log();
    ASSERT_TRUE(s.settles()) << s.product().log();
    EXPECT_THAT(s.texts(admins)[0], HasSubstr("Not deleted"));
    EXPECT_THAT(s.texts(admins)[0], HasSubstr("Not banned"));
    EXPECT_EQ(
        s.value("select coalesce(max(banned_by), 'nobody') from postrider.spam_member"), "nobody"
    );
    EXPECT_EQ(
        s.value("select removed_at is not null from postrider.message where content like 'earn%'"),
        "t"
    );
    EXPECT_EQ(s.value("select refused is not null from postrider.spam_catch"), "t")
        << "the page Attention has it";
}

class spam_commit : public testing::TestWithParam<std::string> {};

// covers: X.09 E.14
TEST_P(spam_commit, is_survived_though_the_process_dies_at_each) {
    guarded_scene s;
    constexpr int most = 6; // more than an execution has
    for (int hit = 1; hit <= most; ++hit) {
        user_id const author{7200 + hit};
        s.telegram.set_member(group, author, "member");
        s.product().start({{"POSTRIDER_FAULTS", fmt::format("{}:kill:{}", GetParam(), hit)}});
        auto const text = fmt::format("earn money {}", hit);
        s.say_there(author, text);
        bool was_killed = false;
        auto const caught = fmt::format(
            "select count(*) from postrider.spam_catch where admin_message_id is not null "
            "and content = '{}'",
            text
        );
        ASSERT_TRUE(eventually(
            [&] {
                if (!was_killed && s.product().wait_for_exit(0ms)) {
                    was_killed = true;
                    s.product().start();
                }
                return s.value(caught) == "1" &&
                       s.value("select count(*) from postrider.job where finished_at is null") ==
                           "0";
            },
            60s
        )) << hit
           << "\n"
           << s.product().log();
        EXPECT_EQ(
            s.value(fmt::format(
                "select cardinality(strikes) || ' ' || banned_by from postrider.spam_member "
                "where user_id = {}",
                base::raw(author)
            )),
            "1 filter"
        ) << hit;
        s.product().stop();
    }
    EXPECT_EQ(
        s.value("select count(*) from postrider.effect where kind = 'telegram.moderate' "
                "and state <> 'done'"),
        "0"
    );
    EXPECT_EQ(
        s.value("select count(*) || ' ' || count(distinct e.job_id) from postrider.effect e "
                "where e.kind = 'telegram.moderate' and e.key ~ '(^|/)(delete|act)$'"),
        fmt::format("{} {}", 2 * most, most)
    ) << "each deletion and each ban is in the ledger, once";
    EXPECT_GE(s.done("deleteMessages"), static_cast<std::size_t>(most));
    EXPECT_GE(s.done("banChatMember"), static_cast<std::size_t>(most));
}

INSTANTIATE_TEST_SUITE_P(
    of_an_execution,
    spam_commit,
    testing::Values("checkpoint.before_commit", "checkpoint.after_commit"),
    [](auto const& commit) {
        auto const point = commit.param.substr(commit.param.find('.') + 1);
        return point;
    }
);

} // namespace
} // namespace postrider::tests::spam_test
