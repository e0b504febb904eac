#include "net/descriptors.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>

namespace postrider::net::descriptors_test {
namespace {

TEST(descriptor_limit, is_raised_as_far_as_the_process_may) {
    rlimit before{};
    ::getrlimit(RLIMIT_NOFILE, &before);
    rlimit const low{.rlim_cur = 200, .rlim_max = before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);

    EXPECT_EQ(raise_descriptor_limit(), before.rlim_max);

    rlimit after{};
    ::getrlimit(RLIMIT_NOFILE, &after);
    EXPECT_EQ(after.rlim_cur, before.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &before);
}

} // namespace
} // namespace postrider::net::descriptors_test
