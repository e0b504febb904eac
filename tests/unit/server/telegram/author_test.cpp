#include "server/telegram/author.hpp"
#include "server/telegram/update.hpp"
#include "tests/unit/server/telegram/samples.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace postrider::telegram::author_test {
namespace {

message message_in(std::string_view body) {
    auto parsed = parse_update(body);
    auto content = std::get<update>(std::move(parsed)).content;
    if (auto* edited = std::get_if<edited_message>(&content)) return std::move(edited->message);
    return std::get<new_message>(std::move(content)).message;
}

// A message of Ivana's in a group, with these members more.
message with(std::string const& members) {
    return message_in(
        R"({"update_id":1,"message":{"message_id":2,"chat":{"id":-3,"type":"supergroup"},
        "from":{"id":5,"is_bot":false,"first_name":"Ivana","last_name":"Kralj","username":"ivana_k"})" +
        members + "}}"
    );
}

TEST(author, has_the_names_of_the_sender) {
    auto const author = with(R"(,"text":"hi")").author;

    storage::message_author expected;
    expected.username = "ivana_k";
    expected.first_name = "Ivana";
    expected.last_name = "Kralj";
    EXPECT_EQ(author, expected);
}

TEST(author, of_a_reply_has_whose_message_it_is_about_and_the_quoted_words) {
    auto const author = message_in(samples::voice_reply).author;

    EXPECT_EQ(author.reply_user, user_id{7100200300});
    EXPECT_EQ(author.quote, "less in winter");
    EXPECT_EQ(author.media, "voice");
    auto const replied = R"(,"reply_to_message":{"message_id":1,"from":{"id":6}})";
    auto const quote = R"(,"quote":{"text":")" + std::string(4000, 'a') + R"("})";
    EXPECT_LT(with(replied + quote).author.quote.size(), 700u);
}

// Or the words could not be erased for whoever wrote them.
TEST(author, keeps_a_quote_of_somebody_who_is_known) {
    auto const quote = std::string(R"(,"quote":{"text":"less in winter"})");
    auto const elsewhere = R"(,"external_reply":{"origin":{"type":"user","sender_user":{"id":6}}})";

    EXPECT_EQ(with(quote).author.quote, "");
    EXPECT_EQ(with(quote + elsewhere).author.quote, "less in winter");
    EXPECT_EQ(with(quote + elsewhere).author.reply_user, user_id{6});
}

TEST(author, has_names_of_a_bounded_length) {
    auto const author =
        message_in(
            R"({"update_id":1,"message":{"message_id":2,"chat":{"id":-3,"type":"group"},"from":{"id":5,"first_name":")" +
            std::string(5000, 'a') + R"("}}})"
        )
            .author;

    EXPECT_GT(author.first_name.size(), 200u);
    EXPECT_LT(author.first_name.size(), 300u);
}

TEST(author, has_the_chat_in_whose_name_it_was_written) {
    auto const m = with(
        R"(,"text":"rules","sender_chat":{"id":-9,"title":"Garden news","username":"gardens","type":"channel"})"
    );

    ASSERT_TRUE(m.as_chat);
    EXPECT_EQ(m.as_chat->id, chat_id{-9});
    EXPECT_EQ(m.as_chat->title, "Garden news");
    EXPECT_EQ(m.author.chat_username, "gardens");
}

TEST(author, has_where_a_message_was_first) {
    auto forwarded = [](std::string const& origin) {
        auto const author =
            with(R"(,"text":"x","forward_origin":{"date":1795228800,)" + origin + "}").author;
        return author.forward.value();
    };
    std::chrono::sys_seconds const date{std::chrono::seconds{1795228800}};

    storage::message_forward expected{"user", 8, "Ann Berg", "ann", {}, date};
    EXPECT_EQ(
        forwarded(
            R"("type":"user","sender_user":{"id":8,"first_name":"Ann","last_name":"Berg","username":"ann"})"
        ),
        expected
    );
    expected = {"hidden_user", {}, "Somebody", {}, {}, date};
    EXPECT_EQ(forwarded(R"("type":"hidden_user","sender_user_name":"Somebody")"), expected);
    expected = {"chat", -7, "A group", {}, {}, date};
    EXPECT_EQ(forwarded(R"("type":"chat","sender_chat":{"id":-7,"title":"A group"})"), expected);
    expected = {"channel", -9, "Garden news", "gardens", telegram_message_id{12}, date};
    EXPECT_EQ(
        forwarded(
            R"("type":"channel","chat":{"id":-9,"title":"Garden news","username":"gardens"},"message_id":12)"
        ),
        expected
    );
}

TEST(author, has_what_the_message_brought_in_telegrams_word) {
    EXPECT_EQ(with(R"(,"text":"hi")").author.media, "");
    EXPECT_EQ(with(R"(,"caption":"my fern","photo":[{"file_id":"a"}])").author.media, "photo");
    EXPECT_EQ(with(R"(,"sticker":{"emoji":"🌿"})").author.media, "sticker");
    EXPECT_EQ(with(R"(,"location":{"latitude":1,"longitude":2})").author.media, "location");
    EXPECT_EQ(with(R"(,"document":{"file_name":"a.pdf"})").author.media, "document");
    EXPECT_EQ(with(R"(,"animation":{},"document":{})").author.media, "animation");
}

TEST(author, with_a_text_that_postgres_cannot_store_is_found) {
    storage::message_author author;
    EXPECT_FALSE(has_nul(author));
    author.forward = storage::message_forward{"user", 8, std::string("a\0b", 3)};
    EXPECT_TRUE(has_nul(author));

    auto const parsed = parse_update(
        R"({"update_id":1,"message":{"message_id":2,"chat":{"id":-3,"type":"group"},"reply_to_message":{"message_id":1,"from":{"id":6}},"quote":{"text":"\u0000"}}})"
    );
    EXPECT_TRUE(std::holds_alternative<unusable_update>(parsed));
}

} // namespace
} // namespace postrider::telegram::author_test
