// Whose presses below a catch may become jobs, and how many.
// covers: X.09 S4.17
#include "agent/talk/refusing_messenger.hpp"
#include "server/telegram/press_answers.hpp"
#include "server/telegram/press_rate.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::press_answers_test {
namespace {

using namespace std::chrono_literals;

constexpr user_id ada{5};
constexpr user_id eve{7};
agent::address const group{bot_id{1}, chat_id{-100}};

class administered final : public agent::refusing_messenger {
public:
    administered() : refusing_messenger(base::error(base::errc::refused, "not in this test")) {}

    base::awaitable<base::result<std::vector<agent::chat_member>>> get_administrators(agent::address
    ) override {
        if (failure) co_return *failure;
        agent::chat_member member;
        member.user = ada;
        co_return std::vector<agent::chat_member>(1, member);
    }

    void forget_administrators(agent::address const& chat) override { forgotten = chat.chat; }

    std::optional<base::error> failure;
    chat_id forgotten{};
};

TEST(press_answers, know_who_runs_the_group) {
    tests::loop io;
    administered out;
    messenger_press_answers answers(io.executor(), out);

    EXPECT_TRUE(io.run(answers.may_decide(group, ada)));
    EXPECT_FALSE(io.run(answers.may_decide(group, eve)));
    out.failure = base::error(base::errc::unavailable, "no answer");
    EXPECT_TRUE(io.run(answers.may_decide(group, eve))) << "the job asks again";
    answers.note_new_runners(group);
    EXPECT_EQ(out.forgotten, group.chat) << "and Telegram is asked anew";
    io.run(answers.close());
}

TEST(press_rate, takes_twenty_of_a_person_in_a_minute) {
    base::manual_clock clock;
    press_rate rate;
    for (int count = 0; count < press_rate::most; ++count)
        EXPECT_TRUE(rate.takes(bot_id{1}, eve, clock.steady())) << count;

    EXPECT_FALSE(rate.takes(bot_id{1}, eve, clock.steady()));
    EXPECT_TRUE(rate.takes(bot_id{1}, ada, clock.steady()));
    EXPECT_TRUE(rate.takes(bot_id{2}, eve, clock.steady()));
    clock.advance(1min);
    EXPECT_TRUE(rate.takes(bot_id{1}, eve, clock.steady()));
}

} // namespace
} // namespace postrider::telegram::press_answers_test
