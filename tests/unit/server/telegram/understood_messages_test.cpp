// What comes without words and is understood all the same, and where a message was first.
#include "agent/language/command.hpp"
#include "tests/unit/server/telegram/decided_messages.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::understood_messages_test {
namespace {

using namespace decided;

message wordless(user_id sender, chat_id where, std::string attachment) {
    auto m = written(sender, where);
    m.text.reset();
    m.attachment = std::move(attachment);
    return m;
}

to_job job_for(message m) {
    return std::get<to_job>(decide({update_id{1}, new_message{std::move(m)}}, settings()));
}

TEST(understood_messages, a_sticker_is_heard_as_words) {
    auto sticker = wordless(friendly, chat_id{base::raw(friendly)}, "sticker \"🌿\"");
    sticker.is_said = true;

    auto const job = job_for(sticker);

    EXPECT_EQ(job.text, "(sticker \"🌿\")");
    EXPECT_EQ(job.command, "");
    EXPECT_EQ(job.heard.attachment, "") << "nothing of it is missing";
    EXPECT_TRUE(job.heard.wordless);

    sticker.where = {served_group, false};
    EXPECT_EQ(fate_of(sticker), "not_addressed");
    sticker.reply_to = self;
    EXPECT_EQ(fate_of(sticker), "job");
    // Of a location that moves Telegram tells as of edits.
    EXPECT_EQ(fate(decide({update_id{1}, edited_message{sticker}}, settings())), "no_text");
}

TEST(understood_messages, a_file_is_heard_where_its_text_can_be_read) {
    auto file = wordless(friendly, chat_id{base::raw(friendly)}, "file \"notes.txt\"");
    file.file = agent::message_file{"BQAC", "notes.txt", "text/plain", 100};
    auto const read = job_for(file);
    EXPECT_EQ(read.text, "(file \"notes.txt\")");
    EXPECT_EQ(read.command, "");
    EXPECT_EQ(read.heard.attachment, "");

    file.text = "summarise this";
    EXPECT_EQ(job_for(file).text, "summarise this");
    EXPECT_FALSE(job_for(file).heard.wordless);

    file.file->mime = "application/pdf";
    EXPECT_EQ(job_for(file).heard.attachment, "file \"notes.txt\"");
    file.text.reset();
    EXPECT_EQ(job_for(file).command, agent::unread_message.name) << "it is explained";
}

TEST(understood_messages, a_voice_message_is_heard_where_somebody_writes_it_down) {
    auto voice = wordless(friendly, chat_id{base::raw(friendly)}, "voice message");
    voice.file = agent::message_file{"AwAC", "voice.ogg", "audio/ogg", 100};
    voice.spoken = 61;
    auto bot = settings();
    auto const decided = [&] {
        return std::get<to_job>(decide({update_id{1}, new_message{voice}}, bot));
    };

    EXPECT_EQ(decided().command, agent::unread_message.name) << "nobody is configured";
    bot.longest_speech = std::chrono::seconds{60};
    EXPECT_EQ(decided().command, agent::unread_message.name) << "it is too long";
    bot.longest_speech = std::chrono::seconds{61};
    voice.file->bytes = agent::most_loaded_bytes + 1;
    EXPECT_EQ(decided().command, agent::unread_message.name) << "Telegram does not give it";
    voice.file->bytes = agent::most_loaded_bytes;
    auto const job = decided();
    EXPECT_EQ(job.text, "(voice message)");
    EXPECT_EQ(job.command, "");
    EXPECT_TRUE(job.heard.is_spoken);
    EXPECT_EQ(job.heard.length, std::chrono::seconds{61});
    EXPECT_EQ(job.heard.attachment, "");
}

TEST(understood_messages, a_forwarded_message_is_heard_with_its_origin) {
    auto m = in_private(friendly);
    m.author.forward = storage::message_forward{"user", 12, "Eve"};
    auto const of_person = job_for(m).heard.forwarded;
    ASSERT_TRUE(of_person);
    EXPECT_EQ(of_person->user, user_id{12});
    EXPECT_EQ(of_person->name, "Eve");
    EXPECT_FALSE(of_person->is_chat);

    m.author.forward = storage::message_forward{"channel", -100, "News"};
    auto const of_channel = job_for(m).heard.forwarded;
    ASSERT_TRUE(of_channel);
    EXPECT_EQ(of_channel->user, user_id{});
    EXPECT_TRUE(of_channel->is_chat);

    EXPECT_FALSE(job_for(in_private(friendly)).heard.forwarded);
}

// covers: S4.17
TEST(understood_messages, of_anonymous_admins_are_heard_where_the_bot_is_to_hear_them) {
    auto masked = written(user_id{1087968824}, served_group, "@fern_bot hello");
    masked.from->is_bot = true;
    masked.as_chat = sender_chat{served_group};
    auto bot = settings();
    auto const fate_for = [&](message m) {
        return fate(decide({update_id{1}, new_message{std::move(m)}}, bot));
    };

    EXPECT_EQ(fate_for(masked), "allowlist");
    bot.anonymous_admins = true;
    EXPECT_EQ(fate_for(masked), "job");
    masked.as_chat = sender_chat{chat_id{-5}};
    EXPECT_EQ(fate_for(masked), "allowlist") << "a channel";
    masked.as_chat = sender_chat{served_group};
    masked.text = "/ask";
    EXPECT_EQ(fate_for(masked), "allowlist") << "a command asks for the user";
}

} // namespace
} // namespace postrider::telegram::understood_messages_test
