#include "base/json/error_data.hpp"
#include "base/json/text.hpp"

#include <gtest/gtest.h>

namespace postrider::base::error_data_test {
namespace {

TEST(error_data, comes_back_as_it_was_written) {
    error failure(errc::budget, "the words", "empty_budget");
    failure.until = std::chrono::sys_seconds{std::chrono::seconds{1795228800}};

    auto const data = data_of(failure);
    error read(errc::budget, "other words");
    add_data(read, data);

    EXPECT_EQ(json_text(data), R"({"reason":"empty_budget","until":1795228800})");
    EXPECT_EQ(read.reason, failure.reason);
    EXPECT_EQ(read.until, failure.until);
}

TEST(error_data, is_null_where_the_code_says_it_all) {
    error failure(errc::timeout, "took longer than 5s");

    EXPECT_TRUE(data_of(failure).is_null());
    add_data(failure, {});
    EXPECT_EQ(failure.reason, "");
    EXPECT_FALSE(failure.until);
}

} // namespace
} // namespace postrider::base::error_data_test
