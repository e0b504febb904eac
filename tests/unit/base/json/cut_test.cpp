#include "base/json/cut.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace postrider::base::cut_test {
namespace {

std::string cut(std::string_view whole, std::size_t bytes) {
    return closed_json(whole.substr(0, bytes), whole.size());
}

TEST(closed_json, leaves_a_whole_text_alone) {
    EXPECT_EQ(cut(R"({"a": [1, 2]})", 100), R"({"a": [1, 2]})");
}

TEST(closed_json, keeps_a_text_as_far_as_it_goes) {
    EXPECT_EQ(cut(R"({"a": ["some words"]})", 12), R"({"a": ["some… 9 bytes more"]})");
    EXPECT_EQ(cut(R"("some words")", 5), R"("some… 7 bytes more")");
}

TEST(closed_json, leaves_out_what_is_not_whole) {
    EXPECT_EQ(cut("[1, 234, 5]", 6), R"([1,"… 9 bytes more"])");
    EXPECT_EQ(cut(R"({"a": 1, "long": 2})", 12), R"({"a": 1,"…":"12 bytes more"})");
    EXPECT_EQ(cut(R"({"a": true})", 8), R"({"…":"10 bytes more"})");
    EXPECT_EQ(cut("123456", 3), R"("… 6 bytes more")");
}

TEST(closed_json, is_json_wherever_a_text_ends) {
    std::string_view const whole =
        R"({"a\"b": "x\\\" \u0001\n", "list": [[], {}, [null, -1.5e3, "y"], {"z": {"": false}}], "end": ""})";
    ASSERT_NO_THROW(boost::json::parse({whole.data(), whole.size()}));
    for (std::size_t bytes = 1; bytes < whole.size(); ++bytes) {
        auto const beginning = cut(whole, bytes);
        boost::json::error_code ec;
        boost::json::parse(beginning, ec);
        EXPECT_FALSE(ec) << bytes << ": " << beginning;
        EXPECT_THAT(beginning, testing::HasSubstr(" bytes more"));
    }
}

} // namespace
} // namespace postrider::base::cut_test
