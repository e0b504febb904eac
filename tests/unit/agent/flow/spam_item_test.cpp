// What the spam filter reads of an item of a group, with every bad input.
// covers: S4.01, X.09
#include "agent/flow/nodes/spam_item.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::flow::spam_item_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr base::sys_time noon{std::chrono::seconds{1'800'000'000}};

base::result<spam_item> read(std::string_view text) {
    return spam_item_of(boost::json::parse(text), noon);
}

// A message of user 7 in the group -100, with these members more.
spam_item with(std::string const& members) {
    return read(
               R"({"event":"message","bot":1,"chat":-100,"user":7,"message":50,"text":"hi",)"
               R"("sender":{"kind":"member","user":7,"name":"Eve","username":"eve"})" +
               (members.empty() ? "" : "," + members) + "}"
    )
        .value();
}

TEST(spam_item, reads_who_wrote_what_and_when) {
    auto const item = with(R"("date":1799999999)");

    EXPECT_EQ(item.place.bot, bot_id{1});
    EXPECT_EQ(item.place.chat, chat_id{-100});
    EXPECT_EQ(item.message, telegram_message_id{50});
    EXPECT_EQ(item.user, user_id{7});
    EXPECT_FALSE(item.is_private);
    EXPECT_EQ(item.content.text, "hi");
    EXPECT_EQ(item.content.author.id, 7);
    EXPECT_EQ(item.content.author.first_name, "Eve");
    EXPECT_EQ(item.content.author.username, "eve");
    EXPECT_EQ(item.content.sent_at.time_since_epoch().count(), 1'799'999'999);
    EXPECT_FALSE(item.content.is_edit);
    EXPECT_TRUE(with(R"("event":"edit")").content.is_edit);
}

TEST(spam_item, takes_a_time_that_cannot_be_for_now) {
    for (auto const* date : {"0", "-1", "9223372036854775807", "1800090000", "\"soon\"", "1.5"})
        EXPECT_EQ(
            with(std::string(R"("date":)") + date).content.sent_at.time_since_epoch().count(),
            1'800'000'000
        ) << date;
}

TEST(spam_item, reads_what_hides_links_and_people) {
    auto const item = with(
        R"("links":[{"url":"https://a.example","text":"here"}],"buttons":[{"url":"https://b.example"}],"keyboard":true,
           "mentions":[{"username":"alex"},{"user":9,"name":"Bob"}],"quote":"earn",
           "external_reply":{"name":"Elsewhere"},"forward":{"kind":"user"},"via_bot":{"user":3})"
    );

    EXPECT_THAT(item.content.links, ElementsAre("https://a.example", "https://b.example"));
    EXPECT_THAT(item.content.mentions, ElementsAre("alex", "id:9"));
    EXPECT_EQ(item.content.quote, "earn");
    EXPECT_TRUE(item.content.has_keyboard);
    EXPECT_TRUE(item.content.is_external_reply);
    EXPECT_TRUE(item.content.is_forward);
    EXPECT_TRUE(item.content.is_via_bot);
}

TEST(spam_item, reads_media) {
    struct sample {
        std::string word;
        spam::media media;
    };
    for (auto const& [word, media] : std::vector<sample>{
             {"photo", spam::media::photo},
             {"animation", spam::media::video},
             {"video_note", spam::media::video},
             {"voice", spam::media::audio},
             {"sticker", spam::media::sticker},
             {"contact", spam::media::contact},
             {"venue", spam::media::location},
             {"hologram", spam::media::other}})
        EXPECT_THAT(with(R"("media":")" + word + "\"").content.attached, ElementsAre(media));
    EXPECT_TRUE(with(R"("media":"giveaway_winners")").content.is_giveaway);
    EXPECT_TRUE(with("").content.attached.empty());
}

TEST(spam_item, of_a_chat_has_the_chat_as_its_author) {
    auto const item =
        with(R"("sender":{"kind":"channel","user":136817688,"chat":-8,"name":"Shop"})");

    EXPECT_EQ(item.sender, sender_kind::channel);
    EXPECT_EQ(item.content.author.id, -8);
    EXPECT_EQ(item.user, user_id{136817688});
}

TEST(spam_item, of_a_chat_with_a_person_is_private) {
    EXPECT_TRUE(read(R"({"chat":7,"user":7,"text":"hi"})")->is_private);
    EXPECT_TRUE(read(R"({"conversation":"x","text":"hi"})")->is_private);
}

// As telegram.message gives them, or a person.
TEST(spam_item, may_be_a_plain_message) {
    auto const item =
        read(R"({"bot":1,"chat":-100,"user":7,"message":50,"text":"see https://a.example, @alexa"})"
        );

    ASSERT_TRUE(item) << item.error().detail;
    EXPECT_EQ(item->event, group_event::message);
    EXPECT_EQ(item->content.author.id, 7);
    EXPECT_EQ(item->content.links.size(), 1U);
    EXPECT_THAT(item->content.mentions, ElementsAre("alexa"));
}

TEST(spam_item, needs_what_tells_messages_apart) {
    struct sample {
        std::string_view text;
        std::string_view reason;
    };
    for (auto const& [text, reason] : std::vector<sample>{
             {"null", "chat"},
             {"3", "chat"},
             {"[]", "chat"},
             {"{}", "chat"},
             {R"({"chat":"-100"})", "chat"},
             {R"({"chat":-100,"event":"dance"})", "there is no event dance"},
             {R"({"chat":-100,"user":7,"message":5})", "bot"},
             {R"({"bot":1,"chat":-100,"user":7})", "message is missing"},
             {R"({"bot":1,"chat":-100,"user":7,"message":0})", "message is missing"},
             {R"({"bot":1,"chat":-100,"message":5})", "user is missing"},
             {R"({"bot":1,"chat":-100,"message":5,"user":"eve"})", "user is missing"},
             {R"({"bot":1,"chat":-100,"message":5,"sender":{"chat":"x"}})", "user is missing"}}) {
        auto const item = read(text);
        ASSERT_FALSE(item) << text;
        EXPECT_EQ(item.error().code, base::errc::invalid) << text;
        EXPECT_THAT(item.error().detail, HasSubstr(std::string(reason))) << text;
    }
}

TEST(spam_item, of_another_event_needs_no_message) {
    EXPECT_TRUE(read(R"({"bot":1,"chat":-100,"event":"member","user":7,"standing":"member"})"));
    EXPECT_TRUE(read(R"({"bot":1,"chat":-100,"event":"join_request"})"));
}

} // namespace
} // namespace postrider::agent::flow::spam_item_test
