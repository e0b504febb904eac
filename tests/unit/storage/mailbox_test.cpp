#include "storage/pg/mailbox.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace postrider::storage::pg::mailbox_test {
namespace {

struct letter : mailbox<letter>::place {
    explicit letter(int n) : number(n) {}
    int number;
};

TEST(mailbox, gives_letters_in_order_of_arrival) {
    mailbox<letter> box;
    for (int n = 1; n <= 3; ++n) ASSERT_TRUE(box.put(std::make_shared<letter>(n)));

    auto const first = box.take(2);
    auto const rest = box.take(2);

    ASSERT_EQ(first.size(), 2u);
    EXPECT_EQ(first[0]->number, 1);
    EXPECT_EQ(first[1]->number, 2);
    ASSERT_EQ(rest.size(), 1u);
    EXPECT_EQ(rest[0]->number, 3);
}

TEST(mailbox, forgets_what_is_withdrawn) {
    mailbox<letter> box;
    auto const first = std::make_shared<letter>(1);
    box.put(first);
    box.put(std::make_shared<letter>(2));

    box.withdraw(first);

    EXPECT_EQ(first.use_count(), 1);
    EXPECT_EQ(box.counts().waiting, 1u);
    EXPECT_EQ(box.take(9).front()->number, 2);
}

TEST(mailbox, does_not_mind_a_late_withdrawal) {
    mailbox<letter> box;
    box.put(std::make_shared<letter>(1));
    auto const taken = box.take(1);

    box.withdraw(taken.front());

    EXPECT_EQ(box.counts().waiting, 0u);
}

TEST(mailbox, wakes_a_waiting_thread) {
    mailbox<letter> box;
    std::size_t taken = 0;
    std::jthread reader([&] { taken = box.take(1).size(); });

    box.put(std::make_shared<letter>(1));
    reader.join();

    EXPECT_EQ(taken, 1u);
}

TEST(mailbox, ends_its_readers_when_closed_and_returns_what_is_left) {
    mailbox<letter> box;
    box.put(std::make_shared<letter>(1));

    auto const left = box.close();

    EXPECT_EQ(left.size(), 1u);
    EXPECT_TRUE(box.take(1).empty());
    EXPECT_FALSE(box.put(std::make_shared<letter>(2)));
}

TEST(mailbox, tells_how_long_the_oldest_has_waited) {
    mailbox<letter> box;
    EXPECT_EQ(box.counts().oldest, base::duration::zero());

    box.put(std::make_shared<letter>(1));

    EXPECT_GT(box.counts().oldest, base::duration::zero());
}

} // namespace
} // namespace postrider::storage::pg::mailbox_test
