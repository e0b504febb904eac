// Parts of albums that were said to others in a group, and what a later part or a reply makes of them.
#include "server/telegram/passed_parts.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::passed_parts_test {
namespace {

using namespace std::chrono_literals;

constexpr user_id alex{10};
constexpr user_id eve{11};
constexpr base::steady_time start{};

to_job part(std::int64_t number, std::string album = "a", user_id sender = alex) {
    to_job job;
    job.heard.from = {bot_id{1}, chat_id{-100}, {}};
    job.heard.user = sender;
    job.heard.message = telegram_message_id{number};
    auto const name = std::to_string(number) + ".pdf";
    job.heard.file = agent::message_file{"file" + name, name, "application/pdf", number};
    job.album = std::move(album);
    return job;
}

std::string files_in(std::vector<agent::message_file> const& files) {
    std::string names;
    for (auto const& file : files) names += file.name + " ";
    return names;
}

std::string brought(passed_parts const& parts, to_job job, base::duration later = 1s) {
    parts.bring(job, start + later);
    return files_in(files_of(job.heard));
}

TEST(passed_parts, belong_to_a_later_part_of_their_album_and_sender) {
    passed_parts parts;
    for (int number = 1; number <= 2; ++number) parts.note(part(number), start);
    parts.note(part(2), start); // as it comes again
    parts.note(part(3, "b"), start);
    parts.note(part(4, "a", eve), start);

    EXPECT_EQ(brought(parts, part(5)), "1.pdf 2.pdf 5.pdf ");
    EXPECT_EQ(brought(parts, part(5, "")), "5.pdf ") << "of no album";
    EXPECT_EQ(brought(parts, part(5), passed_parts::longest), "5.pdf ") << "too late";
    auto speaking = part(5);
    speaking.heard.is_spoken = true;
    EXPECT_EQ(brought(parts, speaking), "5.pdf 1.pdf 2.pdf ");

    parts.forget_album(part(5));
    EXPECT_EQ(brought(parts, part(6)), "6.pdf ") << "once";
}

TEST(passed_parts, are_of_their_own_chat) {
    passed_parts parts;
    parts.note(part(1), start);
    auto elsewhere = part(2);
    elsewhere.heard.from.chat = chat_id{-200};
    EXPECT_EQ(brought(parts, elsewhere), "2.pdf ");
}

TEST(passed_parts, are_files_of_what_somebody_replies_to) {
    passed_parts parts;
    for (int number = 1; number <= 3; ++number) parts.note(part(number), start);
    parts.forget_album(part(1));
    auto reply = part(9, "", eve);
    reply.heard.file.reset();
    auto& replied = reply.heard.replied.emplace();
    replied.user = alex;
    replied.message = telegram_message_id{2};
    replied.album = "a";

    parts.bring(reply, start);

    EXPECT_EQ(files_in(reply.heard.replied->more_files), "1.pdf 3.pdf ");
    EXPECT_TRUE(files_of(reply.heard).empty());
}

TEST(passed_parts, are_so_many_at_most) {
    passed_parts parts;
    for (std::size_t number = 1; number <= passed_parts::most + 1; ++number)
        parts.note(part(static_cast<std::int64_t>(number), std::to_string(number)), start);

    EXPECT_EQ(brought(parts, part(9'000, "1")), "9000.pdf ");
    EXPECT_EQ(brought(parts, part(9'000, "2")), "2.pdf 9000.pdf ");
}

} // namespace
} // namespace postrider::telegram::passed_parts_test
