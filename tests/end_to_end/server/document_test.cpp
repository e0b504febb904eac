// Text files on their way from Telegram to a model, and back from the history.
#include "tests/end_to_end/server/scene.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::document_test {

namespace {

using namespace std::chrono_literals;

telegram::simulated_message sending(std::string name, std::string bytes, std::string text = "") {
    telegram::simulated_message message{.from = alice, .text = std::move(text)};
    message.document = telegram::simulated_file{std::move(name), "text/csv", std::move(bytes)};
    return message;
}

// What the model was asked in that request, by the place of the message in it.
std::string asked(scene const& s, std::size_t request, std::size_t message) {
    auto const requests = s.models.requests();
    auto const& content =
        requests.at(request).body.at("messages").as_array().at(message).at("content");
    if (content.is_string()) return std::string(content.as_string());
    return std::string(content.as_array().front().at("text").as_string());
}

TEST(document, is_read_into_its_turn_and_into_later_ones) {
    scene s;
    s.models.script(fake_reply::saying("Two plants."));
    s.models.script(fake_reply::saying("A fern."));
    s.product().start();

    s.telegram.say(sending("plants.csv", "name,water\nfern,weekly\n", "How many plants?"));
    ASSERT_TRUE(s.replies(1)) << s.product().log();
    s.say(alice, "Which is the first?");
    ASSERT_TRUE(s.replies(2)) << s.product().log();

    auto const first = asked(s, 0, 0);
    EXPECT_THAT(first, testing::StartsWith("How many plants?\n\n(The text of the file"));
    EXPECT_THAT(first, testing::HasSubstr("\nname,water\nfern,weekly\n"));
    EXPECT_EQ(asked(s, 1, 0), first) << "the same words: prompt caches hold them";
    EXPECT_EQ(s.telegram.calls("getFile").size(), 1u);
    EXPECT_EQ(
        s.value("select content from postrider.message where role = 'user' order by job_id limit 1"
        ),
        "How many plants?"
    );
    ASSERT_TRUE(s.settles());
    s.check_oracle();
}

TEST(document, alone_is_a_message) {
    scene s;
    s.models.script(fake_reply::saying("A list of plants."));
    s.product().start();

    s.telegram.say(sending("plants.csv", "fern"));

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    EXPECT_THAT(s.texts(), testing::ElementsAre("A list of plants."));
    EXPECT_THAT(asked(s, 0, 0), testing::StartsWith("(file \"plants.csv\")\n\n(The text of"));
}

TEST(document, sent_as_a_location_is_words) {
    scene s;
    s.models.script(fake_reply::saying("That is in Berlin."));
    s.product().start();
    telegram::simulated_message message{.from = alice};
    message.more = {{"location", {{"latitude", 52.52}, {"longitude", 13.405}}}};

    s.telegram.say(message);

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    EXPECT_EQ(asked(s, 0, 0), "(location 52.52, 13.405)");
}

// covers: S3.20
TEST(document, of_an_owner_with_the_command_becomes_knowledge) {
    scene s{{{"POSTRIDER_OWNERS", base::to_string(alice)}}};
    s.product().start();
    s.value("insert into postrider.collection (name) values ('plants') returning name");

    s.telegram.say(sending("plants.csv", "name,water\nfern,weekly\n", "/knowledge plants"));

    ASSERT_TRUE(s.replies(2)) << s.product().log();
    EXPECT_THAT(
        s.texts(),
        testing::ElementsAre(testing::HasSubstr("reading"), testing::HasSubstr("is ready"))
    );
    ASSERT_TRUE(s.settles()) << s.product().log();
    EXPECT_EQ(s.value("select state from postrider.document where name = 'plants.csv'"), "ready");
    EXPECT_EQ(s.value("select count(*) from postrider.document_part where generation = 1"), "1");
    EXPECT_EQ(s.value("select count(*) from postrider.document_content"), "0");
    EXPECT_TRUE(s.models.requests().empty());
    s.check_oracle();
}

TEST(document, that_cannot_become_knowledge_is_told_of) {
    scene s{{{"POSTRIDER_OWNERS", base::to_string(alice)}}};
    s.product().start();
    s.value("insert into postrider.collection (name) values ('plants') returning name");

    s.telegram.say(
        sending("scan.csv", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16), "/knowledge plants")
    );

    ASSERT_TRUE(s.replies(2)) << s.product().log();
    EXPECT_THAT(
        s.texts(),
        testing::ElementsAre(
            testing::HasSubstr("reading"), testing::StartsWith("I could not read “scan.csv”: ")
        )
    );
    ASSERT_TRUE(s.settles()) << s.product().log();
}

// The command stands below the last part, as Telegram's clients write it below files.
TEST(document, of_an_album_with_the_command_becomes_knowledge_with_the_others) {
    scene s{{{"POSTRIDER_OWNERS", base::to_string(alice)}}};
    s.product().start();
    s.value("insert into postrider.collection (name) values ('plants') returning name");
    auto first = sending("one.csv", "name,water\nfern,weekly\n");
    first.album = "7";
    auto second = sending("two.csv", "name,water\nmoss,daily\n", "/knowledge plants");
    second.album = "7";

    s.telegram.say(first);
    s.telegram.say(second);

    ASSERT_TRUE(s.replies(3)) << s.product().log();
    EXPECT_THAT(s.texts().at(0), testing::HasSubstr("one.csv"));
    EXPECT_THAT(s.texts().at(0), testing::HasSubstr("two.csv"));
    ASSERT_TRUE(s.settles()) << s.product().log();
    EXPECT_EQ(
        s.value("select string_agg(name || ' ' || state, ', ' order by name) from "
                "postrider.document"),
        "one.csv ready, two.csv ready"
    );
    EXPECT_TRUE(s.models.requests().empty()) << "no turn answers it";
}

// The process dies while the turn waits for the rest of its album. What Telegram could not deliver meanwhile
// belongs to the turn all the same.
// covers: E.02
TEST(document, of_an_album_is_read_with_the_others_after_a_kill) {
    scene s;
    s.models.script(fake_reply::saying("Two lists."));
    s.product().start({{"POSTRIDER_FAULTS", "checkpoint.after_commit:kill"}});
    auto first = sending("one.csv", "fern");
    first.album = "7";
    s.telegram.say(first);
    ASSERT_TRUE(s.product().wait_for_exit(30s)) << s.product().log();
    auto second = sending("two.csv", "moss", "Compare these.");
    second.album = "7";
    s.telegram.say(second);
    ASSERT_TRUE(
        s.comes_true("select (select bool_and(postrider.now() - created_at > interval '2.5 s') "
                     "from postrider.message)")
    ) << "the pause of the album is over";

    s.product().start();

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    ASSERT_TRUE(s.settles()) << s.product().log();
    EXPECT_EQ(s.models.requests().size(), 1u);
    auto const question = asked(s, 0, 0);
    EXPECT_THAT(question, testing::StartsWith("Compare these."));
    EXPECT_THAT(question, testing::HasSubstr("\nfern\n"));
    EXPECT_THAT(question, testing::HasSubstr("\nmoss\n"));
    EXPECT_EQ(s.value("select count(*) from postrider.job where kind = 'turn'"), "1");
}

} // namespace

} // namespace postrider::tests::document_test
