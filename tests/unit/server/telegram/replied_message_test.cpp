// What a message replies to, from the update to what a model is told of it.
#include "agent/flow/run/message_notes.hpp"
#include "server/telegram/disposition.hpp"

#include <gmock/gmock.h>

namespace postrider::telegram::replied_message_test {
namespace {

using testing::HasSubstr;

constexpr user_id self{99};

message parsed(std::string const& members) {
    auto const u = parse_update(
        R"({"update_id":1,"message":{"message_id":2,"chat":{"id":3,"type":"private"},"from":{"id":7,"first_name":"Al"},"text":"why?",)" +
        members + "}}"
    );
    return std::get<new_message>(std::get<update>(u).content).message;
}

struct reply_elsewhere {
    std::string members;
    std::string by;
    std::string text;
};

TEST(replied_message, of_another_chat_brings_what_is_known_of_it) {
    std::string const quote = R"("quote":{"text":"less in winter"})";
    std::vector<reply_elsewhere> const cases{
        {R"("external_reply":{"origin":{"type":"user","sender_user":{"id":6,"first_name":"Ann"}}},)" +
             quote,
         "Ann",
         "less in winter"},
        {R"("external_reply":{"origin":{"type":"hidden_user","sender_user_name":"Zoe"}},)" + quote,
         "Zoe",
         "less in winter"},
        {R"("external_reply":{"origin":{"type":"channel","chat":{"id":-5,"title":"Ferns"}},"photo":[{"file_id":"a"}]})",
         "Ferns",
         "(image)"},
        {R"("external_reply":{"origin":{"type":"channel","chat":{"id":-5,"title":"Ferns"}}})",
         "Ferns",
         "(message of another chat)"},
        {R"("external_reply":{})", "", "(message of another chat)"},
        {R"("is_topic_message":true,"message_thread_id":9,"reply_to_message":{"message_id":9,"chat":{"id":3},"from":{"id":4},"forum_topic_created":{"name":"a"}},"external_reply":{"origin":{"type":"hidden_user","sender_user_name":"Zoe"}},)" +
             quote,
         "Zoe",
         "less in winter"},
        {R"("reply_to_story":{"id":1,"chat":{"id":5,"type":"private","first_name":"Ann"}})",
         "Ann",
         "(story)"},
        {R"("reply_to_story":{"id":1,"chat":{"id":-5,"type":"channel","title":"Ferns"}})",
         "Ferns",
         "(story)"},
    };
    for (auto const& expected : cases) {
        auto const m = parsed(expected.members);
        EXPECT_EQ(m.replied_by, expected.by) << expected.members;
        EXPECT_EQ(m.replied_text, expected.text) << expected.members;
        EXPECT_FALSE(m.replied) << "a number in another chat";
        EXPECT_FALSE(m.reply_to) << "it is not said to the bot";
    }
}

std::string notes(std::string const& members) {
    bot_settings bot;
    bot.self = self;
    bot.allowlist.users.insert(user_id{7});
    auto const decided = decide({update_id{1}, new_message{parsed(members)}}, bot);
    return agent::flow::notes_on(std::get<to_job>(decided).heard);
}

TEST(replied_message, of_another_chat_is_shown_to_the_model) {
    std::string const quote = R"(,"quote":{"text":"less in winter"})";
    EXPECT_THAT(
        notes(
            R"("external_reply":{"origin":{"type":"hidden_user","sender_user_name":"Zoe"}})" + quote
        ),
        HasSubstr(R"(earlier message of "Zoe": "less in winter")")
    );
    EXPECT_THAT(
        notes(
            R"("external_reply":{"origin":{"type":"user","sender_user":{"id":99,"first_name":"Fern"}}})" +
            quote
        ),
        HasSubstr(R"(earlier message of yours: "less in winter")")
    );
    EXPECT_THAT(
        notes(
            R"("external_reply":{"origin":{"type":"user","sender_user":{"id":7,"first_name":"Al"}}})" +
            quote
        ),
        HasSubstr(R"(earlier message of the same person: "less in winter")")
    );
    EXPECT_THAT(
        notes(R"("reply_to_story":{"id":1,"chat":{"id":-5,"title":"Ferns"}})"),
        HasSubstr("\"Ferns\": \"(story)\"")
    );
}

TEST(forwarded_message, is_shown_to_the_model_with_its_origin) {
    EXPECT_THAT(
        notes(
            R"("forward_origin":{"type":"user","sender_user":{"id":6,"first_name":"Ann"},"date":1})"
        ),
        HasSubstr("(The message was forwarded. The author is \"Ann\", not the person who sent it.)")
    );
    EXPECT_THAT(
        notes(
            R"("forward_origin":{"type":"channel","chat":{"id":-5,"title":"Ferns"},"message_id":4})"
        ),
        HasSubstr("The author is the chat \"Ferns\", not")
    );
    EXPECT_THAT(
        notes(R"("forward_origin":{"type":"hidden_user"})"),
        HasSubstr("The author is someone whose name is hidden, not")
    );
    EXPECT_THAT(notes(R"("message_thread_id":1)"), testing::Not(HasSubstr("forwarded")));
}

} // namespace
} // namespace postrider::telegram::replied_message_test
