#include "net/base64.hpp"

#include <gtest/gtest.h>

namespace postrider::net::base64_test {
namespace {

// RFC 4648, section 10.
TEST(base64, reads_what_it_writes) {
    std::string const text = "foobar";
    constexpr std::string_view written[] = {
        "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (std::size_t size = 0; size <= text.size(); ++size) {
        auto const begin = text.substr(0, size);
        EXPECT_EQ(to_base64(begin), written[size]);
        EXPECT_EQ(from_base64(written[size]), begin);
    }
}

TEST(base64, reads_that_of_urls_and_without_padding) {
    EXPECT_EQ(from_base64("-_-_"), from_base64("+/+/"));
    EXPECT_EQ(from_base64("Zg"), "f");
    EXPECT_EQ(from_base64("AAE"), std::string("\0\1", 2));
}

TEST(base64, refuses_all_else) {
    for (auto text : {"Z", "Zg=", "Zm8==", "Zm 9v", "Zm9v\n", "====", "Zg==Zg==", "Zm9*"})
        EXPECT_FALSE(from_base64(text)) << text;
}

} // namespace
} // namespace postrider::net::base64_test
