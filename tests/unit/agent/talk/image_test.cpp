#include "agent/talk/image.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace postrider::agent::image_test {
namespace {

using namespace std::string_view_literals;

// covers: S3.21
TEST(image, is_known_by_its_first_bytes) {
    EXPECT_EQ(image_type("\xff\xd8\xff\xe0 and so on"sv), "image/jpeg");
    EXPECT_EQ(image_type("\x89PNG\r\n\x1a\n and so on"sv), "image/png");
    EXPECT_EQ(image_type("GIF89a and so on"sv), "image/gif");
    EXPECT_EQ(image_type("RIFF\x10\x00\x00\x00WEBPVP8 "sv), "image/webp");
    for (auto const other : {"", "GIF90a", "RIFF\x10WAVE", "<svg>", "\xff\xd8", "%PDF-1.7"})
        EXPECT_EQ(image_type(other), "") << other;
}

TEST(image, sources_survive_json) {
    std::vector<image_source> const sources{{.file = "AgAC"}, {.base64 = "R0lG"}};
    auto const read = images_from(&static_cast<boost::json::value const&>(to_json(sources)));
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(read[0].file, "AgAC");
    EXPECT_EQ(read[1].base64, "R0lG");
}

TEST(image, what_is_none_is_left_out) {
    auto const list = boost::json::parse(R"([7, {}, {"file": ""}, {"file": 3}, {"file": "a"}])");
    EXPECT_EQ(images_from(&list).size(), 1u);
    boost::json::value const no_list("images");
    EXPECT_TRUE(images_from(&no_list).empty());
    EXPECT_TRUE(images_from(nullptr).empty());
    boost::json::value const many(boost::json::array(50, boost::json::object{{"file", "a"}}));
    EXPECT_EQ(images_from(&many).size(), most_images);
}

} // namespace
} // namespace postrider::agent::image_test
