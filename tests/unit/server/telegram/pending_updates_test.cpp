#include "server/telegram/failing_updates.hpp"
#include "server/telegram/pending_updates.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::pending_updates_test {
namespace {

// covers: E.06
TEST(pending_updates, confirm_nothing_behind_one_that_is_not_stored) {
    pending_updates pending;
    EXPECT_EQ(pending.offset(), update_id{0});
    for (int n = 5; n <= 8; ++n) EXPECT_TRUE(pending.add(update_id{n}));
    EXPECT_EQ(pending.offset(), update_id{5});

    pending.stored(update_id{6});
    pending.stored(update_id{8});
    EXPECT_EQ(pending.offset(), update_id{5});
    pending.stored(update_id{5});
    EXPECT_EQ(pending.offset(), update_id{7});
    pending.stored(update_id{7});

    EXPECT_EQ(pending.offset(), update_id{9});
    EXPECT_TRUE(pending.empty());
}

TEST(pending_updates, are_taken_once) {
    pending_updates pending;
    pending.add(update_id{5});
    pending.add(update_id{6});
    pending.stored(update_id{6});

    EXPECT_FALSE(pending.add(update_id{5})) << "on its way";
    EXPECT_FALSE(pending.add(update_id{6})) << "stored";
    EXPECT_TRUE(pending.add(update_id{7}));
}

// Telegram gives the first hundred that are not confirmed (server/telegram/polling.hpp).
TEST(pending_updates, fill_what_a_poll_gives_while_the_oldest_is_not_stored) {
    constexpr int most_of_a_poll = 100;
    pending_updates pending;
    for (int n = 1; n <= most_of_a_poll; ++n) EXPECT_TRUE(pending.add(update_id{n}));
    for (int n = 2; n <= most_of_a_poll; ++n) pending.stored(update_id{n});

    EXPECT_EQ(pending.offset(), update_id{1}) << "so the next poll gives the same";
    pending.confirmed(pending.offset());
    for (int n = 1; n <= most_of_a_poll; ++n)
        EXPECT_FALSE(pending.add(update_id{n})) << "nothing of it is taken again";
    EXPECT_FALSE(pending.empty());

    pending.stored(update_id{1});
    EXPECT_EQ(pending.offset(), update_id{101}) << "and the next poll gives what stood behind them";
    pending.confirmed(pending.offset());
    EXPECT_TRUE(pending.add(update_id{101}));
    EXPECT_EQ(pending.offset(), update_id{101});
}

// covers: E.06
TEST(pending_updates, are_known_until_a_poll_that_confirms_them_was_answered) {
    pending_updates pending;
    pending.add(update_id{5});
    pending.stored(update_id{5});
    EXPECT_FALSE(pending.add(update_id{5})) << "by the poll that was on its way meanwhile";

    pending.confirmed(update_id{5});
    EXPECT_FALSE(pending.add(update_id{5}));
    pending.confirmed(pending.offset());
    EXPECT_TRUE(pending.add(update_id{5})) << "no poll can bring the old one any more";
}

// covers: E.06
TEST(pending_updates, may_begin_again_with_smaller_numbers) {
    pending_updates pending;
    pending.add(update_id{499});
    pending.stored(update_id{499});
    pending.confirmed(pending.offset());
    pending.add(update_id{500}); // and it is never stored

    EXPECT_TRUE(pending.add(update_id{20})) << "Telegram begins anew after a quiet week";
    EXPECT_EQ(pending.offset(), update_id{20});
    pending.stored(update_id{20});
    EXPECT_EQ(pending.offset(), update_id{21}) << "an offset beyond its numbers confirms nothing";
    EXPECT_FALSE(pending.add(update_id{20}));
}

TEST(failing_updates, are_at_fault_when_others_are_stored) {
    failing_updates failing;
    bot_id const bot{1};
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(failing.failed(bot, update_id{7}));

    failing.stored();

    EXPECT_TRUE(failing.failed(bot, update_id{7}));
    EXPECT_FALSE(failing.failed(bot, update_id{8}));
    failing.forget(bot, update_id{7});
    EXPECT_FALSE(failing.failed(bot, update_id{7}));
}

} // namespace
} // namespace postrider::telegram::pending_updates_test
