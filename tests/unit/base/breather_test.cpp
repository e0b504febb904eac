#include "base/breather.hpp"
#include "tests/support/loop.hpp"

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

namespace postrider::base::breather_test {
namespace {

TEST(breather, is_due_once_the_work_has_gone_on_for_long) {
    manual_clock clock;
    breather work(clock, 5ms);
    EXPECT_FALSE(work.due());
    clock.advance(5ms);
    EXPECT_TRUE(work.due());
}

TEST(breather, lets_others_run_and_begins_anew) {
    tests::loop loop;
    manual_clock clock;
    breather work(clock, 5ms);
    clock.advance(1s);
    bool others_ran = false;
    asio::post(loop.executor(), [&] { others_ran = true; });

    loop.run(work.take());

    EXPECT_TRUE(others_ran);
    EXPECT_FALSE(work.due());
}

} // namespace
} // namespace postrider::base::breather_test
