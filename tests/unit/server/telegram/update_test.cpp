#include "server/telegram/update.hpp"
#include "tests/unit/server/telegram/samples.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace postrider::telegram::update_test {
namespace {

update parsed(std::string_view body) {
    auto found = parse_update(body);
    if (auto* unusable = std::get_if<unusable_update>(&found))
        throw std::runtime_error(base::to_string(unusable->cause));
    return std::get<update>(std::move(found));
}

TEST(update, a_message_of_a_forum_topic) {
    auto const u = parsed(samples::group_command);

    EXPECT_EQ(u.id, update_id{731204511});
    auto const& m = std::get<new_message>(u.content).message;
    EXPECT_EQ(m.id, telegram_message_id{4182});
    EXPECT_EQ(m.thread, thread_id{17});
    EXPECT_EQ(m.where.id, chat_id{-1002233445566});
    EXPECT_FALSE(m.where.is_private);
    EXPECT_EQ(m.from->id, user_id{5401122337});
    EXPECT_EQ(m.from->username, "ivana_k");
    EXPECT_EQ(m.text, "/ask@fern_bot how often?");
    ASSERT_EQ(m.marks.size(), 1u);
    EXPECT_EQ(m.marks[0].offset, 0);
    EXPECT_EQ(m.marks[0].length, 13);
    EXPECT_FALSE(m.service);
}

TEST(update, a_reply_without_text) {
    auto const u = parsed(samples::voice_reply);

    auto const& m = std::get<new_message>(u.content).message;
    EXPECT_TRUE(m.where.is_private);
    EXPECT_FALSE(m.text);
    EXPECT_EQ(m.reply_to, user_id{7100200300});
    EXPECT_EQ(m.replied, telegram_message_id{4185});
    EXPECT_EQ(m.date, 1795228931);
    EXPECT_FALSE(m.service);
}

TEST(update, a_reply_brings_the_words_that_it_is_about) {
    auto const m = std::get<new_message>(parsed(samples::voice_reply).content).message;
    EXPECT_EQ(m.replied_text, "less in winter") << "the part that the sender quotes";
    EXPECT_EQ(m.replied_by, "Fern");

    auto replied_text = [](std::string replied) {
        auto const u = parsed(
            R"({"update_id":1,"message":{"message_id":2,"chat":{"id":3,"type":"private"},"text":"hi",
            "reply_to_message":{"message_id":1,"chat":{"id":3},)" +
            replied + "}}}"
        );
        return std::get<new_message>(u.content).message.replied_text;
    };
    EXPECT_EQ(replied_text(R"("text":"the whole")"), "the whole");
    EXPECT_EQ(replied_text(R"("caption":"a fern","photo":[{"file_id":"a"}])"), "a fern");
    EXPECT_EQ(replied_text(R"("photo":[{"file_id":"a"}])"), "(image)");
    EXPECT_EQ(replied_text(R"("voice":{})"), "(voice message)");
    EXPECT_LT(replied_text(R"("text":")" + std::string(4000, 'a') + '"').size(), 700u);
}

TEST(update, says_what_came_with_a_message) {
    auto attachment = [](std::string member) {
        auto const u = parsed(
            R"({"update_id":1,"message":{"message_id":2,"chat":{"id":3,"type":"private"},)" +
            member + "}}"
        );
        return std::get<new_message>(u.content).message.attachment;
    };
    EXPECT_EQ(attachment(R"("voice":{"file_id":"a"})"), "voice message");
    EXPECT_EQ(attachment(R"("document":{"file_name":"a \"b\".pdf"})"), R"(file "a \"b\".pdf")");
    EXPECT_EQ(attachment(R"("sticker":{"emoji":"🌿"})"), R"(sticker "🌿")");
    EXPECT_EQ(
        attachment(R"("location":{"latitude":52.52,"longitude":13.405})"), "location 52.52, 13.405"
    );
    EXPECT_EQ(
        attachment(R"("venue":{"title":"Café","address":"Main St 1","location":{"latitude":1.5,
                   "longitude":2}},"location":{"latitude":1.5,"longitude":2})"),
        R"(place "Café", "Main St 1", 1.5, 2)"
    );
    EXPECT_EQ(
        attachment(R"("contact":{"first_name":"Ann","last_name":"Lee","phone_number":"+49 1"})"),
        R"(contact "Ann" "Lee", phone "+49 1")"
    );
    EXPECT_EQ(
        attachment(R"("poll":{"question":"Lunch?","options":[{"text":"Pizza"},{"text":"Salad"}]})"),
        R"(poll "Lunch?": "Pizza", "Salad")"
    );
    EXPECT_EQ(attachment(R"("dice":{"emoji":"🎲","value":4})"), R"(dice "🎲", which shows 4)");
    EXPECT_EQ(
        attachment(R"("checklist":{"title":"Trip","tasks":[{"id":1,"text":"Tent"}]})"),
        R"(checklist "Trip": "Tent")"
    );
    EXPECT_EQ(attachment(R"("animation":{},"document":{"file_name":"a.mp4"})"), "animation");
    EXPECT_EQ(attachment(R"("document":{"file_id":"a","mime_type":"image/png"})"), "")
        << "models may see it";
    auto const* const large =
        R"("document":{"file_id":"a","file_name":"a.png","mime_type":"image/png","file_size":20971521})";
    EXPECT_EQ(attachment(large), "file \"a.png\"") << "Telegram does not give it";
    EXPECT_EQ(attachment(R"("text":"hi")"), "");
    EXPECT_EQ(attachment(R"("write_access_allowed":{})"), "");
}

TEST(update, knows_what_its_words_say_all_of) {
    auto is_said = [](std::string member) {
        auto const u = parsed(
            R"({"update_id":1,"message":{"message_id":2,"chat":{"id":3,"type":"private"},)" +
            member + "}}"
        );
        return std::get<new_message>(u.content).message.is_said;
    };
    for (auto const* member : {"sticker", "location", "venue", "contact", "poll", "dice"})
        EXPECT_TRUE(is_said('"' + std::string(member) + R"(":{})")) << member;
    for (auto const* member : {"voice", "video", "document", "story", "game"})
        EXPECT_FALSE(is_said('"' + std::string(member) + R"(":{})")) << member;
    EXPECT_FALSE(is_said(R"("text":"hi")"));
}

TEST(update, knows_the_album_of_a_message) {
    auto const u = parsed(
        R"({"update_id":1,"message":{"message_id":2,"chat":{"id":3,"type":"private"},"media_group_id":"12","document":{}}})"
    );
    EXPECT_EQ(std::get<new_message>(u.content).message.album, "12");
    EXPECT_EQ(std::get<new_message>(u.content).message.replied_album, "");

    auto const reply = parsed(
        R"({"update_id":1,"message":{"message_id":3,"chat":{"id":3,"type":"private"},"text":"hi","reply_to_message":{"message_id":2,"chat":{"id":3},"from":{"id":4},"media_group_id":"12","document":{"file_id":"a"}}}})"
    );
    EXPECT_EQ(std::get<new_message>(reply.content).message.replied_album, "12");
}

TEST(update, a_topics_first_message_is_no_reply_target) {
    auto const u = parsed(
        R"({"update_id":1,"message":{"message_id":2,"chat":{"id":-3,"type":"supergroup"},"text":"hi",
        "is_topic_message":true,"message_thread_id":9,"reply_to_message":{"message_id":9,
        "chat":{"id":-3},"from":{"id":4},"forum_topic_created":{"name":"Ferns"}}}})"
    );
    EXPECT_FALSE(std::get<new_message>(u.content).message.replied);
    EXPECT_FALSE(std::get<new_message>(u.content).message.reply_to)
        << "else every message of a topic that the bot began would be said to it";
}

TEST(update, its_marks_are_the_names_and_commands_of_its_text) {
    auto const marks_of = [](std::string const& members) {
        auto const body =
            R"({"update_id":1,"message":{"message_id":2,"chat":{"id":3},)" + members + "}}";
        std::string all;
        auto const u = parsed(body);
        for (auto const& mark : std::get<new_message>(u.content).message.marks)
            all += std::to_string(mark.offset) + "+" + std::to_string(mark.length) + " ";
        return all;
    };
    EXPECT_EQ(
        marks_of(R"("text":"x","entities":[{"type":"bold","offset":0,"length":4},
        {"type":"mention","offset":5,"length":9},{"type":"bot_command","offset":20,"length":3}],
        "caption_entities":[{"type":"mention","offset":1,"length":2}])"),
        "5+9 20+3 "
    );
    EXPECT_EQ(
        marks_of(R"("photo":[],"caption":"@fern_bot look",
        "caption_entities":[{"type":"mention","offset":0,"length":9}])"),
        "0+9 "
    );
    EXPECT_EQ(marks_of(R"("text":"x","entities":{"type":"mention"})"), "");
    EXPECT_EQ(marks_of(R"("text":"x","entities":[7,{"type":"mention","offset":"1"}])"), "0+0 ");
}

TEST(update, a_caption_is_its_text) {
    auto const u = parsed(
        R"({"update_id":1,"message":{"message_id":2,"chat":{"id":3,"type":"private"},"photo":[],"caption":"look"}})"
    );
    EXPECT_EQ(std::get<new_message>(u.content).message.text, "look");
}

std::vector<std::string> files_of(std::string const& members) {
    auto const u = parsed(
        R"({"update_id":1,"message":{"message_id":2,"chat":{"id":3,"type":"private"},)" + members +
        "}}"
    );
    std::vector<std::string> files;
    for (auto const& image : std::get<new_message>(u.content).message.images)
        files.push_back(image.file);
    return files;
}

// covers: S3.21
TEST(update, the_largest_size_of_a_photo_that_models_take) {
    EXPECT_EQ(
        files_of(R"("photo":[{"file_id":"s","width":90,"height":67,"file_size":1500},
            {"file_id":"x","width":1280,"height":960,"file_size":180000},
            {"file_id":"m","width":320,"height":240,"file_size":20000},
            {"file_id":"y","width":2560,"height":1920,"file_size":600000}])"),
        std::vector<std::string>{"x"}
    );
    EXPECT_EQ(
        files_of(R"("photo":[{"file_id":"s","width":90,"height":67},
            {"file_id":"x","width":1280,"height":960,"file_size":9000000}])"),
        std::vector<std::string>{"s"}
    );
    EXPECT_EQ(
        files_of(R"("photo":[{"file_id":"y","width":2560,"height":1920,"file_size":6000000},
            {"file_id":"x","width":2100,"height":1575,"file_size":4300000}])"),
        std::vector<std::string>{"x"}
    ) << "a model is told of one that is too large";
}

struct brought_file {
    std::string members;
    agent::message_file file;
};

// covers: X.23
TEST(update, brings_a_file_for_flows) {
    brought_file const cases[]{
        {R"("photo":[{"file_id":"s","width":90,"height":67},{"file_id":"y","width":2560,"height":1920,"file_size":6}])",
         {"y", "photo.jpg", "image/jpeg", 6}},
        {R"("document":{"file_id":"d","file_name":"a.pdf","mime_type":"application/pdf","file_size":9})",
         {"d", "a.pdf", "application/pdf", 9}},
        {R"("voice":{"file_id":"v"})", {"v", "voice.ogg", "audio/ogg", 0}},
        {R"("photo":[{"file_id":"","width":1,"height":1}])", {}}};
    for (auto const& entry : cases) {
        auto const u = parsed(
            R"({"update_id":1,"message":{"message_id":2,"chat":{"id":3,"type":"private"},)" +
            entry.members + "}}"
        );
        auto const& file = std::get<new_message>(u.content).message.file;
        EXPECT_EQ(file.value_or(agent::message_file{}), entry.file) << entry.members;
    }
}

TEST(update, an_image_that_was_sent_as_a_file) {
    EXPECT_EQ(
        files_of(R"("document":{"file_id":"d","mime_type":"image/png","file_size":70000})"),
        std::vector<std::string>{"d"}
    );
    std::string const gif = R"("document":{"file_id":"d","mime_type":"image/gif"})";
    for (std::string const& other :
         {R"("animation":{"file_id":"a"},)" + gif,
          std::string(R"("document":{"file_id":"d","mime_type":"video/mp4"})"),
          std::string(R"("document":{"mime_type":"image/png"})"),
          std::string(R"("document":{"file_id":"d","mime_type":"image/heic","file_size":90000000})"
          ),
          std::string(R"("photo":[])"),
          std::string(R"("photo":"none")")})
        EXPECT_TRUE(files_of(other).empty()) << other;
}

TEST(update, a_thread_of_replies_is_not_a_topic) {
    auto const u = parsed(
        R"({"update_id":1,"message":{"message_id":2,"message_thread_id":9,"chat":{"id":-3,"type":"supergroup"}}})"
    );
    EXPECT_EQ(std::get<new_message>(u.content).message.thread, thread_id{0});
}

TEST(update, the_other_kinds) {
    EXPECT_EQ(
        std::get<edited_message>(parsed(samples::edit).content).message.text, "how much water?"
    );

    auto const pressed = parsed(samples::press);
    auto const& press = std::get<button_press>(pressed.content);
    EXPECT_EQ(press.query, "23197654321098765");
    EXPECT_EQ(press.data, "ban:5409998887");
    EXPECT_EQ(press.where->id, chat_id{-1002233445566});

    auto const change = std::get<member_change>(parsed(samples::membership).content);
    EXPECT_EQ(change.now, agent::member_standing::banned);
    EXPECT_TRUE(change.is_own);
    EXPECT_TRUE(std::holds_alternative<reaction_update>(parsed(samples::reaction).content));
    EXPECT_EQ(std::get<other_update>(parsed(R"({"update_id":1})").content).member, "");

    auto const moved = parsed(samples::migration);
    auto const& m = std::get<new_message>(moved.content).message;
    EXPECT_TRUE(m.service);
    EXPECT_EQ(m.migrated_to, chat_id{-1002233445566});
}

TEST(update, unknown_members_are_no_error) {
    auto const u = parsed(
        R"({"new":{"a":[1]},"update_id":1,"message":{"message_id":2,"chat":{"id":3,"type":"private","x":1},
        "from":{"id":4,"is_bot":false,"first_name":"A","shoe_size":1e3},"text":"hi","zodiac":null}})"
    );
    EXPECT_EQ(std::get<new_message>(u.content).message.text, "hi");
}

TEST(update, writing_as_a_chat_is_seen) {
    auto const u = parsed(
        R"({"update_id":1,"message":{"message_id":2,"chat":{"id":-3,"type":"supergroup"},"text":"hi",
        "from":{"id":1087968824,"is_bot":true,"first_name":"Group"},"sender_chat":{"id":-3,"type":"supergroup"}}})"
    );
    EXPECT_TRUE(std::get<new_message>(u.content).message.as_chat);
}

struct unusable_case {
    std::string_view body;
    base::errc code;
};

TEST(update, what_cannot_be_used_still_has_its_id) {
    std::string const deep =
        R"({"update_id":7,"x":)" + std::string(100, '[') + std::string(100, ']') + "}";
    unusable_case const table[]{
        {deep, base::errc::invalid},
        {R"({"update_id":7,"x":1e999})", base::errc::invalid},
        {R"({"update_id":7,"message":{"message_id":1,"chat":{"id":1e30}}})", base::errc::invalid},
        {R"({"update_id":7,"message":{"message_id":1,"chat":{"id":99999999999999999999}}})",
         base::errc::invalid},
        {R"({"update_id":7,"message":{"message_id":1}})", base::errc::invalid},
        {R"({"update_id":7,"message":"hi"})", base::errc::invalid},
        {R"({"update_id":7,"message":{"message_id":1,"chat":{"id":1},"text":3}})",
         base::errc::invalid},
        {R"({"update_id":7,"message":{"message_id":1,"chat":{"id":1},"text":"a\u0000b"}})",
         base::errc::invalid},
        {R"({"update_id":7,"message":{"message_id":1,"chat":{"id":1},"text":"\ud800"}})",
         base::errc::invalid},
        {R"({"update_id":7,"message":{"message_id":1,"chat":{"id":1},"from":{"id":2,"first_name":"\u0000"}}})",
         base::errc::invalid},
        {"{\"update_id\":7,\"message\":{\"message_id\":1,\"chat\":{\"id\":1},\"text\":\"\xff\"}}",
         base::errc::invalid},
    };
    for (auto const& row : table) {
        auto const found = parse_update(row.body);
        auto const* unusable = std::get_if<unusable_update>(&found);
        ASSERT_TRUE(unusable) << row.body;
        EXPECT_EQ(unusable->id, update_id{7}) << row.body;
        EXPECT_EQ(unusable->cause.code, row.code) << row.body;
    }
}

TEST(update, not_an_update) {
    for (auto const* body :
         {"",
          "hi",
          "[]",
          "7",
          "null",
          "{}",
          R"({"update_id":"7"})",
          R"({"update_id":1.5})",
          R"({"update_id":null})",
          R"({"update_id":7)",
          R"({"update_id":99999999999999999999})"})
        EXPECT_TRUE(std::holds_alternative<not_an_update>(parse_update(body))) << body;
}

TEST(update, a_cut_one_is_too_large) {
    auto const found = parse_cut_update(R"({"update_id":7,"message":{"text":"aaaa)");
    EXPECT_EQ(std::get<unusable_update>(found).id, update_id{7});
    EXPECT_EQ(std::get<unusable_update>(found).cause, base::errc::too_large);

    EXPECT_TRUE(std::holds_alternative<not_an_update>(parse_cut_update(R"({"message":{"text":"aa)"))
    );
}

// Hard documents as whole bodies, and as a part of an update.
TEST(update, the_public_collection_as_bodies) {
    std::filesystem::path const folder = "../shared/data/json-parsing";
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << "the folder json-parsing is not beside the source tree";
    for (auto const& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".json") continue;
        std::ifstream file(entry.path(), std::ios::binary);
        std::string const text{std::istreambuf_iterator<char>(file), {}};
        auto const name = entry.path().filename().string();
        // None of them is an update.
        EXPECT_TRUE(std::holds_alternative<not_an_update>(parse_update(text))) << name;

        auto const part = parse_update(R"({"update_id":7,"channel_post":)" + text + "}");
        bool const refused = std::holds_alternative<not_an_update>(part);
        if (name.starts_with("y_")) {
            EXPECT_FALSE(refused) << name;
        }
        // Two of them are well-formed by what is put around them.
        if (name.starts_with("n_") && name != "n_structure_trailing_#.json") {
            EXPECT_FALSE(std::holds_alternative<update>(part)) << name;
        }
    }
}

TEST(update, a_press_with_a_null_in_it_is_one_all_the_same) {
    auto const u = parsed(
        R"({"update_id":1,"callback_query":{"id":"q","from":{"id":2,"first_name":"A\u0000l"},"data":"x\u0000y"}})"
    );
    auto const& press = std::get<button_press>(u.content);
    EXPECT_EQ(press.query, "q");
    EXPECT_EQ(press.data, "");
    EXPECT_EQ(press.from.name, "A\xEF\xBF\xBDl");
}

} // namespace
} // namespace postrider::telegram::update_test
