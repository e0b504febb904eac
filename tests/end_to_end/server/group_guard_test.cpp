// The group bot as the guard of its group, where more than one message or one chat is concerned: albums, presses while a model
// thinks, posts of channels, and a group that becomes a supergroup.
#include "tests/end_to_end/server/group_scene.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::group_guard_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
namespace json = boost::json;

constexpr chat_id admins{-100600};
constexpr user_id eve{7100};
constexpr std::string_view advertisement =
    "🔥🔥🔥 Набираю людей в команду! Удaлённый зaрaбoтoк от 1000$ в неделю, пишите в лс";

class guard_scene : public group_scene {
public:
    explicit guard_scene(std::string const& action = "delete")
        : group_scene("admin_chat = -100600\n", 8000, action) {
        telegram.set_member(group, telegram.bot().id, "administrator");
        telegram.set_member(group, alice, "administrator");
        telegram.set_member(group, eve, "member");
        telegram.set_member(admins, telegram.bot().id, "administrator");
    }

    telegram::said show(user_id sender, std::string caption, std::string album) {
        auto part = message(sender, "Eve", std::move(caption));
        part.photo = "\xff\xd8\xff\xe0 picture";
        part.album = std::move(album);
        return telegram.say(part);
    }

    // The first button below the newest message of the admin chat.
    void press_not_spam(user_id person) {
        auto const notice = telegram.sent(admins).back();
        auto const& rows = notice.params.at("reply_markup").at("inline_keyboard").as_array();
        auto const& button = rows.at(0).at(0);
        telegram.press(
            {.from = person,
             .chat = admins,
             .message = notice.message,
             .data = std::string(button.at("callback_data").as_string())}
        );
    }

    std::vector<std::int64_t> deleted() const {
        std::vector<std::int64_t> numbers;
        for (auto const& call : telegram.calls("deleteMessages"))
            for (auto const& number : call.params.at("message_ids").as_array())
                numbers.push_back(number.to_number<std::int64_t>());
        return numbers;
    }
};

// covers: X.09 S4.01
TEST(group_guard, at_first_only_tells_of_spam_and_keeps_it_from_models) {
    guard_scene s("");
    auto const spam = s.write(eve, "Eve", std::string(advertisement));
    ASSERT_TRUE(s.telegram.wait_for_sent(1, 20s)) << s.product().log();
    ASSERT_TRUE(s.is_quiet());

    EXPECT_THAT(s.texts(admins).at(0), HasSubstr("nothing was done (dry run)"));
    EXPECT_THAT(s.telegram.calls("deleteMessages"), IsEmpty());
    EXPECT_THAT(s.telegram.calls("banChatMember"), IsEmpty());
    auto reply = group_scene::message(bob, "Bob", "claudir, what is this?");
    reply.more["reply_to_message"] = {
        {"message_id", base::raw(spam.message)},
        {"date", 1'795'000'000},
        {"from", {{"id", base::raw(eve)}, {"is_bot", false}, {"first_name", "Eve"}}},
        {"chat", {{"id", base::raw(group)}, {"type", "supergroup"}}},
        {"text", std::string(advertisement)}};
    auto const before = s.models.requests().size();
    s.telegram.say(reply);
    ASSERT_TRUE(s.asked(before + 1)) << s.product().log();
    EXPECT_THAT(s.context(before), HasSubstr("what is this?"));
    EXPECT_THAT(s.context(before), Not(HasSubstr("Набираю")));
}

// covers: X.09 S4.12
TEST(group_guard, removes_an_album_whose_caption_is_spam_as_a_whole) {
    guard_scene s;
    auto const before = s.show(eve, "", "77");
    ASSERT_TRUE(s.comes_true("select count(*) = 1 from postrider.spam_recent"))
        << s.product().log();
    ASSERT_TRUE(s.is_quiet());
    auto const caption = s.show(eve, std::string(advertisement), "77");
    ASSERT_TRUE(s.telegram.wait_for_calls("deleteMessages", 1, 20s)) << s.product().log();
    ASSERT_TRUE(s.is_quiet());
    auto const behind = s.show(eve, "", "77");

    ASSERT_TRUE(s.telegram.wait_for_calls("deleteMessages", 2, 20s)) << s.product().log();
    ASSERT_TRUE(s.is_quiet());
    auto const gone = s.deleted();
    for (auto const& part : {before, caption, behind})
        EXPECT_THAT(gone, testing::Contains(base::raw(part.message)));
    EXPECT_EQ(
        s.value("select count(*) from postrider.message where role = 'user' and removed_at is null"
        ),
        "0"
    );
    EXPECT_THAT(s.texts(admins), SizeIs(1)) << "one catch";
}

// covers: S4.12
TEST(group_guard, lets_the_bot_answer_an_album_as_one_turn) {
    guard_scene s;
    s.models.script(sends("nice ferns"));
    s.show(bob, "claudir, these are my ferns", "78");
    s.show(bob, "", "78");
    s.show(bob, "", "78");

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    ASSERT_TRUE(s.is_quiet());
    EXPECT_THAT(s.texts(group), ElementsAre("nice ferns"));
    // One request speaks, and one hears what came of it.
    EXPECT_EQ(s.models.requests().size(), 2u);
}

// covers: X.09 S4.17
TEST(group_guard, decides_a_press_while_a_model_thinks) {
    guard_scene s;
    s.write(eve, "Eve", std::string(advertisement));
    ASSERT_TRUE(s.telegram.wait_for_sent(1, 20s)) << s.product().log();
    ASSERT_TRUE(s.is_quiet());
    auto thinking = fake_reply::saying("(hm)");
    thinking.hold = true;
    s.models.script(thinking);
    auto const before = s.models.requests().size();
    s.write(bob, "Bob", "good morning, all of you");
    ASSERT_TRUE(s.asked(before + 1)) << s.product().log();

    s.press_not_spam(alice);

    ASSERT_TRUE(s.telegram.wait_for_calls("unbanChatMember", 1, 20s)) << "it waits for no turn\n"
                                                                      << s.product().log();
    EXPECT_EQ(
        s.value("select count(*) from postrider.job where kind in ('turn', 'flow') and "
                "finished_at is null"),
        "1"
    ) << "the model still thinks";
    s.models.release();
    ASSERT_TRUE(s.is_quiet()) << s.product().log();
    EXPECT_EQ(s.value("select undone_by from postrider.spam_catch"), "user:7001");
}

// covers: X.09 S4.17
TEST(group_guard, answers_presses_of_members_without_a_job) {
    guard_scene s;
    s.write(eve, "Eve", std::string(advertisement));
    ASSERT_TRUE(s.telegram.wait_for_sent(1, 20s)) << s.product().log();
    ASSERT_TRUE(s.is_quiet());

    s.press_not_spam(eve);

    ASSERT_TRUE(s.telegram.wait_for_calls("answerCallbackQuery", 1, 20s)) << s.product().log();
    EXPECT_EQ(s.value("select count(*) from postrider.job where kind = 'catch_press'"), "0");
    EXPECT_EQ(s.value("select undone_by is null from postrider.spam_catch"), "t");
}

// The channel of the group, as Telegram forwards its posts.
telegram::simulated_message post_of_linked_channel() {
    auto post = group_scene::message(user_id{777000}, "Telegram", std::string(advertisement));
    post.more["sender_chat"] = {{"id", -100888}, {"type", "channel"}, {"title", "Ferns"}};
    post.more["is_automatic_forward"] = true;
    return post;
}

// covers: S4.12 X.09
TEST(group_guard, never_judges_the_linked_channel) {
    guard_scene s;
    auto const before = s.value("select count(*) from postrider.inbox");

    s.telegram.say(post_of_linked_channel());

    ASSERT_TRUE(s.comes_true("select count(*) > " + before + " from postrider.inbox"))
        << s.product().log();
    ASSERT_TRUE(s.is_quiet());
    EXPECT_THAT(s.telegram.calls("deleteMessages"), IsEmpty());
    EXPECT_THAT(s.telegram.calls("banChatSenderChat"), IsEmpty());
    EXPECT_EQ(s.value("select count(*) from postrider.spam_verdict"), "0");
}

// covers: X.09 X.02
TEST(group_guard, undoes_in_a_supergroup_what_was_caught_before_it_became_one) {
    constexpr chat_id supergroup{-1007007};
    guard_scene s;
    s.telegram.set_member(supergroup, s.telegram.bot().id, "administrator");
    s.telegram.set_member(supergroup, alice, "administrator");
    s.telegram.set_member(supergroup, eve, "kicked");
    auto const spam = s.write(eve, "Eve", std::string(advertisement));
    ASSERT_TRUE(s.telegram.wait_for_sent(1, 20s)) << s.product().log();
    ASSERT_TRUE(s.is_quiet());

    auto move = group_scene::message(alice, "Alice", "");
    move.more["migrate_to_chat_id"] = base::raw(supergroup);
    s.telegram.say(move);
    ASSERT_TRUE(s.comes_true("select count(*) = 1 from postrider.chat where migrated_to is not null"
    )) << s.product().log();
    auto const undone = s.product().run(
        {"spam", "undo", base::to_string(spam.message), "--chat", base::to_string(supergroup)}
    );
    auto const members =
        s.product().run({"spam", "members", "--chat", base::to_string(supergroup), "--json"});

    EXPECT_EQ(undone.code, 0) << undone.out;
    EXPECT_THAT(members.out, HasSubstr("7100"));
    ASSERT_TRUE(s.is_quiet()) << s.product().log();
    EXPECT_EQ(s.value("select undone_at is not null from postrider.spam_catch"), "t");
    EXPECT_EQ(
        s.value("select string_agg(distinct chat_id::text, ' ') from postrider.spam_member "
                "where approved_at is not null"),
        base::to_string(supergroup)
    );
    s.press_not_spam(alice);
    ASSERT_TRUE(s.telegram.wait_for_calls("answerCallbackQuery", 1, 20s)) << s.product().log();
    ASSERT_TRUE(s.is_quiet());
    EXPECT_THAT(
        s.value("select output ->> 'result' from postrider.job where kind = 'catch_press'"),
        "repeated"
    ) << "the old button knows what was decided";
}

} // namespace
} // namespace postrider::tests::group_guard_test
