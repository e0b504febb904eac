#include "base/time_slice.hpp"
#include "tests/support/loop.hpp"

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

namespace postrider::base::time_slice_test {
namespace {

TEST(time_slice, is_due_once_the_work_has_gone_on_for_long) {
    manual_clock clock;
    time_slice work(clock, 5ms);
    EXPECT_FALSE(work.is_over());
    clock.advance(5ms);
    EXPECT_TRUE(work.is_over());
}

TEST(time_slice, lets_others_run_and_begins_anew) {
    tests::loop loop;
    manual_clock clock;
    time_slice work(clock, 5ms);
    clock.advance(1s);
    bool others_ran = false;
    asio::post(loop.executor(), [&] { others_ran = true; });

    loop.run(work.yield());

    EXPECT_TRUE(others_ran);
    EXPECT_FALSE(work.is_over());
}

} // namespace
} // namespace postrider::base::time_slice_test
