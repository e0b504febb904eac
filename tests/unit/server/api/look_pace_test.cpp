#include "server/api/look_pace.hpp"

#include <gtest/gtest.h>

namespace postrider::api::look_pace_test {
namespace {

using namespace std::chrono_literals;

TEST(look_pace, is_quick_where_there_is_progress) {
    look_pace const pace;

    EXPECT_EQ(pace.pause(true), look_pace::shortest);
    EXPECT_EQ(pace.pause(false), look_pace::longest);
}

// A thousand steps take longer to read and walk than ten, and each of them is news.
TEST(look_pace, leaves_nine_tenths_of_the_time_to_others) {
    for (base::duration const took : {1ms, 10ms, 50ms, 400ms}) {
        look_pace pace;
        pace.looked(took);

        EXPECT_GE(pace.pause(true), took * look_pace::rest) << base::to_text(took);
        EXPECT_GE(pace.pause(false), pace.pause(true)) << base::to_text(took);
    }
}

TEST(look_pace, keeps_no_watcher_without_news_for_long) {
    look_pace pace;
    pace.looked(10s);

    EXPECT_EQ(pace.pause(true), look_pace::most);
}

TEST(look_pace, follows_the_last_look) {
    look_pace pace;
    pace.looked(400ms);
    pace.looked(1ms);

    EXPECT_EQ(pace.pause(true), look_pace::shortest);
}

} // namespace
} // namespace postrider::api::look_pace_test
