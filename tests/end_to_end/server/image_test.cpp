// A photo on its way from Telegram to a model that can see.
#include "tests/end_to_end/server/scene.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::image_test {

namespace {

// covers: S3.21
TEST(image, reaches_a_model_that_can_see) {
    scene s;
    s.models.script(fake_reply::saying("A fern."));
    s.product().start();

    s.telegram.say({.from = alice, .text = "What is this?", .photo = "\xff\xd8\xff\xe0 a photo"});

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    auto const request = s.models.requests().at(0);
    auto const& content = request.body.at("messages").as_array().back().at("content");
    EXPECT_EQ(content.at(0).at("type"), "image");
    EXPECT_EQ(content.at(0).at("source").at("media_type"), "image/jpeg");
    EXPECT_EQ(content.at(0).at("source").at("data"), "/9j/4CBhIHBob3Rv");
    EXPECT_EQ(content.at(1).at("text"), "What is this?");
    EXPECT_EQ(
        s.value("select content from postrider.message where role = 'user'"), "What is this?"
    );
}

// covers: S3.21
TEST(image, of_an_album_reaches_the_model_with_the_others) {
    scene s;
    s.models.script(fake_reply::saying("Three ferns."));
    s.product().start();

    s.telegram.say(
        {.from = alice, .text = "What are these?", .photo = "\xff\xd8\xff\xe0 one", .album = "7"}
    );
    s.telegram.say({.from = alice, .photo = "\xff\xd8\xff\xe0 two", .album = "7"});
    s.telegram.say({.from = alice, .photo = "\xff\xd8\xff\xe0 three", .album = "7"});

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    ASSERT_TRUE(s.settles()) << s.product().log();
    ASSERT_EQ(s.models.requests().size(), 1u);
    auto const request = s.models.requests().at(0);
    auto const& content = request.body.at("messages").as_array().back().at("content");
    ASSERT_EQ(content.as_array().size(), 5u) << boost::json::serialize(content);
    for (std::size_t at = 0; at < 3; ++at) EXPECT_EQ(content.at(at).at("type"), "image");
    EXPECT_EQ(content.at(3).at("text"), "What are these?");
    EXPECT_EQ(s.value("select count(*) from postrider.job where kind = 'turn'"), "1");
    s.check_oracle();
}

} // namespace

} // namespace postrider::tests::image_test
