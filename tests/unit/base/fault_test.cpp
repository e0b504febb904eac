#include "base/fault.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

namespace postrider::base::fault_test {
namespace {

class fault_points : public testing::Test {
protected:
    ~fault_points() override { (void)fault::arm(""); }
};

TEST_F(fault_points, do_nothing_until_armed) {
    for (auto name : fault::names()) EXPECT_NO_THROW(fault::point(name));
}

TEST_F(fault_points, have_names_of_their_own) {
    std::set<std::string_view> seen(fault::names().begin(), fault::names().end());
    EXPECT_EQ(seen.size(), fault::names().size());
}

TEST_F(fault_points, malformed_plans_are_refused_and_leave_the_old_one) {
    ASSERT_TRUE(fault::arm("turn.started:error").has_value());
    for (auto plan :
         {"turn.started",
          "turn.started:",
          "turn.started:explode",
          "no.such.point:error",
          "turn.started:error:0",
          "turn.started:error:-1",
          "turn.started:error:two",
          "turn.started:error:2x",
          "turn.started:error:",
          "turn.started:error,",
          ",turn.started:error"}) {
        auto armed = fault::arm(plan);
        if (std::string_view(plan) == "turn.started:error,") {
            EXPECT_TRUE(armed.has_value()) << "a trailing comma is harmless";
            continue;
        }
        ASSERT_FALSE(armed.has_value()) << plan;
        EXPECT_EQ(armed.error(), errc::invalid) << plan;
    }
    EXPECT_THROW(fault::point("turn.started"), fault::injected);
}

TEST_F(fault_points, error_throws_once_at_its_own_point) {
    ASSERT_TRUE(fault::arm("turn.started:error").has_value());
    EXPECT_NO_THROW(fault::point("turn.after_send"));
    EXPECT_THROW(fault::point("turn.started"), fault::injected);
    EXPECT_NO_THROW(fault::point("turn.started"));
}

TEST_F(fault_points, the_number_is_the_hit_that_acts) {
    ASSERT_TRUE(fault::arm("turn.started:error:3").has_value());
    EXPECT_NO_THROW(fault::point("turn.started"));
    EXPECT_NO_THROW(fault::point("turn.started"));
    EXPECT_THROW(fault::point("turn.started"), fault::injected);
    EXPECT_NO_THROW(fault::point("turn.started"));
}

TEST_F(fault_points, several_entries_count_on_their_own) {
    ASSERT_TRUE(fault::arm("turn.started:error:1,turn.after_send:error,turn.started:error:3"));
    EXPECT_THROW(fault::point("turn.started"), fault::injected);
    EXPECT_NO_THROW(fault::point("turn.started"));
    EXPECT_THROW(fault::point("turn.started"), fault::injected);
    EXPECT_THROW(fault::point("turn.after_send"), fault::injected);
}

TEST_F(fault_points, an_empty_plan_disarms) {
    ASSERT_TRUE(fault::arm("turn.started:error").has_value());
    ASSERT_TRUE(fault::arm("").has_value());
    EXPECT_NO_THROW(fault::point("turn.started"));
}

// Runs the plan's only point in a child and gives back its wait status.
int status_after(char const* plan, char const* point, int options) {
    auto const child = fork();
    if (child == 0) {
        if (!fault::arm(plan)) _exit(2);
        fault::point(point);
        _exit(0);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, options), child);
    if (WIFSTOPPED(status)) {
        kill(child, SIGKILL);
        int last = 0;
        EXPECT_EQ(waitpid(child, &last, 0), child);
    }
    return status;
}

TEST_F(fault_points, kill_ends_the_process_as_kill_9_does) {
    auto const status = status_after("turn.after_send:kill", "turn.after_send", 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST_F(fault_points, stop_freezes_the_process) {
    auto const status = status_after("turn.after_send:stop", "turn.after_send", WUNTRACED);
    ASSERT_TRUE(WIFSTOPPED(status));
    EXPECT_EQ(WSTOPSIG(status), SIGSTOP);
}

} // namespace
} // namespace postrider::base::fault_test
