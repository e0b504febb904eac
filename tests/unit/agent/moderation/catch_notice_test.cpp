// What the admin chat is told of a catch, and what its buttons carry.
// covers: X.09
#include "agent/moderation/catch_notice.hpp"
#include "agent/talk/refusal_words.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::catch_notice_test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

spam::caught_message spam_of_eve() {
    spam::caught_message caught;
    caught.key = {chat_id{-1001234567890}, telegram_message_id{4521}, user_id{7777777777}};
    caught.name = "Eve (@eve)";
    caught.action = spam::catch_action::ban;
    caught.strikes = 1;
    caught.text = "earn $500 a day";
    caught.verdict = json::object{
        {"spam", true},
        {"points", 130},
        {"threshold", 100},
        {"reason", "Spam: it has 6 emoji"},
        {"checks",
         json::array{
             json::object{{"check", "links"}, {"points", 25}, {"reason", "it has 2 links"}},
             json::object{{"check", "emoji"}, {"points", 60}, {"reason", "it has 6 emoji"}},
             json::object{{"check", "length"}, {"points", 0}, {"reason", ""}}}}};
    return caught;
}

TEST(catch_notice, tells_who_wrote_what_and_what_was_done) {
    auto const content = catch_notice(spam_of_eve(), {.is_deleted = true, .is_acted_on = true});

    EXPECT_THAT(content.text, HasSubstr("Eve (@eve), 7777777777"));
    EXPECT_THAT(content.text, HasSubstr("the author is banned"));
    EXPECT_THAT(content.text, HasSubstr("it has 6 emoji (130 points; spam begins at 100)"));
    EXPECT_THAT(content.text, HasSubstr("earn $500 a day"));
    EXPECT_THAT(content.text, Not(HasSubstr("Not banned")));
    EXPECT_EQ(content.markup, text_markup::none);
    EXPECT_FALSE(content.link_preview);
}

TEST(catch_notice, tells_what_was_refused) {
    catch_outcome outcome;
    outcome.delete_error = base::error(base::errc::refused, "no", messenger_refusal::undeletable);
    outcome.act_error = base::error(base::errc::refused, "no", messenger_refusal::missing_right);
    outcome.cleaned = 12;
    auto const text = catch_notice(spam_of_eve(), outcome).text;

    EXPECT_THAT(text, HasSubstr("Not deleted: Telegram does not delete this message"));
    EXPECT_THAT(text, HasSubstr("Not banned: the bot lacks a right."));
    EXPECT_THAT(text, HasSubstr("Other messages deleted: 12"));
}

TEST(catch_notice, names_the_group_as_people_know_it) {
    auto caught = spam_of_eve();
    EXPECT_THAT(
        catch_notice(caught, {}).text, HasSubstr("7777777777 in the group -1001234567890:")
    );

    caught.group_title = "Gardeners";
    auto const place = HasSubstr("7777777777 in the group Gardeners (-1001234567890)");
    EXPECT_THAT(catch_notice(caught, {}).text, place);
    EXPECT_THAT(decided_notice(caught, "left").text, place);
    EXPECT_THAT(reasons_of(caught), place);
    EXPECT_THAT(training_question(caught, spam::lesson_kind::ham, {}).text, place);
}

// What was meant is not what happened.
TEST(catch_notice, says_that_something_was_done_only_where_telegram_did_it) {
    auto const denied = base::error(base::errc::refused, "no");
    auto const text = [](catch_outcome const& outcome) {
        return catch_notice(spam_of_eve(), outcome).text;
    };

    EXPECT_THAT(text({.is_deleted = true, .act_error = denied}), Not(HasSubstr("is banned")));
    EXPECT_THAT(text({.is_deleted = true, .act_error = denied}), HasSubstr("was deleted"));
    EXPECT_THAT(text({.is_acted_on = true, .delete_error = denied}), Not(HasSubstr("was deleted")));
    EXPECT_THAT(text({.is_acted_on = true, .delete_error = denied}), HasSubstr("is banned"));
    EXPECT_THAT(text({.delete_error = denied, .act_error = denied}), HasSubstr("nothing was done"));
    catch_outcome left;
    left.is_deleted = left.is_acted_on = true;
    left.clean_error = denied;
    EXPECT_THAT(text(left), HasSubstr("is banned"));
    EXPECT_THAT(text(left), HasSubstr("Other messages not deleted: no"));
}

TEST(catch_notice, cuts_long_texts_and_names_a_person_as_the_source) {
    auto caught = spam_of_eve();
    caught.text.assign(10'000, 'x');
    caught.verdict = nullptr;
    caught.caught_by = "user:5";
    auto const text = catch_notice(caught, {}).text;

    EXPECT_LT(text.size(), 2000U);
    EXPECT_THAT(text, HasSubstr("Decided by user 5."));
}

TEST(catch_notice, says_what_was_decided_and_has_no_buttons_then) {
    auto const content = decided_notice(spam_of_eve(), "Not spam, says Ada");

    EXPECT_THAT(content.text, HasSubstr("earn $500 a day"));
    EXPECT_THAT(content.text, HasSubstr("→ Not spam, says Ada"));
    EXPECT_TRUE(content.buttons.empty());
}

TEST(catch_notice, gives_every_reason_the_strongest_first) {
    auto const text = reasons_of(spam_of_eve());

    EXPECT_LT(text.find("+60 points (emoji): it has 6"), text.find("+25 points (links): it has 2"));
    EXPECT_THAT(text, Not(HasSubstr("length")));
}

TEST(catch_buttons, carry_what_was_caught) {
    auto const caught = spam_of_eve();
    auto const content = catch_notice(caught, {});

    ASSERT_EQ(content.buttons.size(), 1U);
    ASSERT_EQ(content.buttons[0].size(), 3U);
    for (auto const& button : content.buttons[0]) {
        EXPECT_LE(button.data.size(), most_button_data);
        auto const press = read_catch_button(button.data);
        ASSERT_TRUE(press) << button.data;
        EXPECT_EQ(press->key.chat, caught.key.chat);
        EXPECT_EQ(press->key.message, caught.key.message);
        EXPECT_EQ(press->key.author, caught.key.author);
    }
    EXPECT_EQ(read_catch_button(content.buttons[0][0].data)->choice, catch_choice::not_spam);
    EXPECT_EQ(read_catch_button(content.buttons[0][2].data)->choice, catch_choice::reasons);
}

TEST(catch_buttons, are_read_only_as_they_are_written) {
    for (std::string_view const data :
         {"",
          "spam:",
          "spam:ham",
          "spam:ham:-100:5",
          "spam:ham:-100:5:x",
          "spam:ham:-100:5:7:8",
          "spam:free:-100:5:7",
          "spam:ham:-100:5:99999999999999999999",
          "ham:-100:5:7",
          "V1StGXR8_Z5jdHi6B-myT:0"})
        EXPECT_FALSE(read_catch_button(data)) << data;
    EXPECT_TRUE(read_catch_button("spam:ham:-100:5:7"));
}

} // namespace
} // namespace postrider::agent::catch_notice_test
