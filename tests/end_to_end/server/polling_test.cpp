// Several processes that poll one bot.
#include "tests/end_to_end/server/scene.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::polling_test {

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

// The scene's product polls, its neighbour waits.
struct polled_scene : scene {
    std::unique_ptr<postrider::tests::product> other = neighbour();

    polled_scene() : scene(environment{{"POSTRIDER_PUBLIC_URL", ""}}) {
        product().start();
        say(alice, "before");
        if (!replies(1)) throw std::runtime_error("no answer:\n" + product().log());
        other->start();
        if (!tells(*other, "bot.identified")) throw std::runtime_error("no bot:\n" + other->log());
    }

    static bool tells(postrider::tests::product const& whose, std::string const& event) {
        return eventually([&] { return whose.log().find(event) != std::string::npos; });
    }
};

// covers: E.17
TEST(poll, is_taken_over_within_ten_seconds_of_a_kill) {
    polled_scene s;
    EXPECT_EQ(s.other->log().find("telegram.poll_begun"), std::string::npos) << s.other->log();

    s.product().kill();
    s.say(bob, "after");

    ASSERT_TRUE(s.replies(2, 10s)) << s.other->log();
    EXPECT_THAT(s.texts(), ElementsAre("You said: before", "You said: after"));
    ASSERT_TRUE(s.settles());
    s.check_oracle();
}

// covers: E.17
TEST(poll, is_taken_over_at_once_from_a_process_that_stops) {
    polled_scene s;

    EXPECT_EQ(s.product().stop(), 0) << s.product().log();
    s.say(bob, "after");

    ASSERT_TRUE(s.replies(2, 10s)) << s.other->log();
    EXPECT_EQ(s.value("select count(*) from postrider.poll_lease"), "1");
}

// The update reaches the socket of the frozen process, which must not act on it when it wakes up.
// covers: E.17
TEST(poll, is_taken_over_from_a_frozen_process_which_then_leaves_it) {
    polled_scene s;

    s.product().freeze();
    s.say(bob, "after");
    ASSERT_TRUE(s.replies(2, 30s)) << s.other->log();
    s.product().thaw();

    EXPECT_TRUE(polled_scene::tells(s.product(), "telegram.poll_left")) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_THAT(s.texts(), ElementsAre("You said: before", "You said: after"));
    s.check_oracle();
}

} // namespace

} // namespace postrider::tests::polling_test
