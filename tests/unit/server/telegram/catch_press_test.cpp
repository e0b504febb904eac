#include "server/telegram/disposition.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::catch_press_test {
namespace {

constexpr user_id stranger_id{11};
constexpr chat_id group{-100};
constexpr chat_id other_group{-200};

bot_settings serving_group() {
    bot_settings bot;
    bot.id = bot_id{3};
    bot.allowlist = {{}, {group}};
    return bot;
}

std::string rule_of(button_press const& press) {
    return std::get<to_nothing>(decide({update_id{1}, press}, serving_group())).rule;
}

TEST(catch_press_disposition, a_press_below_a_catch_is_for_the_group_that_it_is_of) {
    button_press press;
    press.from.id = stranger_id;
    press.from.name = "Ada";
    press.where = place{other_group, false};
    press.message = telegram_message_id{9};
    press.query = "query";
    press.data = "spam:ban:-100:5:7";
    auto const decided = decide({update_id{1}, press}, serving_group());

    ASSERT_TRUE(std::holds_alternative<to_catch_press>(decided));
    auto const& caught = std::get<to_catch_press>(decided);
    EXPECT_EQ(caught.choice.choice, agent::catch_choice::ban);
    EXPECT_EQ(caught.choice.key.author, user_id{7});
    EXPECT_EQ(caught.at.chat, other_group);
    EXPECT_EQ(caught.press.user, stranger_id);
    EXPECT_EQ(caught.press.id, "query");
    EXPECT_FALSE(caught.is_owner);
    press.data = "spam:ban:-200:5:7"; // a group that nobody allowed
    EXPECT_EQ(rule_of(press), "allowlist");
    press.data = "spam:ban:-100:5:7";
    press.where.reset();
    EXPECT_EQ(rule_of(press), "allowlist");
}

} // namespace
} // namespace postrider::telegram::catch_press_test
