#include "server/telegram/send_delays.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::send_delays_test {
namespace {

using namespace std::chrono_literals;

constexpr bot_id bot{1};
constexpr chat_id chat{10};
constexpr base::steady_time start{1h};

// covers: X.02
TEST(send_delays, a_delay_is_the_chats_own_and_passes) {
    send_delays delays;
    delays.hold(bot, chat, start + 14s, start);

    EXPECT_EQ(delays.remaining(bot, chat, start + 1s), 13s);
    EXPECT_EQ(delays.remaining(bot, chat_id{11}, start), std::nullopt);
    EXPECT_EQ(delays.remaining(bot_id{2}, chat, start), std::nullopt);
    EXPECT_EQ(delays.remaining(bot, chat, start + 14s), std::nullopt);
}

TEST(send_delays, a_shorter_delay_does_not_shorten) {
    send_delays delays;
    delays.hold(bot, chat, start + 14s, start);
    delays.hold(bot, chat, start + 2s, start);
    EXPECT_EQ(delays.remaining(bot, chat, start), 14s);
}

TEST(send_delays, a_part_of_a_millisecond_is_still_a_delay) {
    send_delays delays;
    delays.hold(bot, chat, start + 1us, start);
    EXPECT_EQ(delays.remaining(bot, chat, start), 1ms);
}

// covers: X.02
TEST(send_delays, many_delayed_chats_hold_the_whole_bot) {
    send_delays delays;
    for (std::int64_t n = 1; n < 5; ++n) delays.hold(bot, chat_id{n}, start + n * 1s, start);
    EXPECT_EQ(delays.remaining(bot, chat, start), std::nullopt);

    delays.hold(bot, chat_id{5}, start + 5s, start);

    EXPECT_EQ(delays.remaining(bot, chat, start), 1s) << "until the first of them may write";
    EXPECT_EQ(delays.remaining(bot, chat_id{5}, start), 5s);
    EXPECT_EQ(delays.remaining(bot_id{2}, chat, start), std::nullopt);
    EXPECT_EQ(delays.remaining(bot, chat, start + 1s), std::nullopt);
}

} // namespace
} // namespace postrider::telegram::send_delays_test
