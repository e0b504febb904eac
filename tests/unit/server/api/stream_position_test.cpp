#include "server/api/stream_position.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace postrider::api::stream_position_test {
namespace {

TEST(stream_position, has_a_place_for_each_topic) {
    stream_position position;
    EXPECT_EQ(position.text(), "");
    position.set("jobs", "1f2e-7");
    position.set("conversation:7b3e", "100:104:101,102/100:105:/41/3");
    position.set("jobs", "1f2e-8");

    auto const text = position.text();
    auto const read = stream_position::from(text);

    EXPECT_EQ(text, "conversation:7b3e=100:104:101,102/100:105:/41/3;jobs=1f2e-8");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->at("jobs"), "1f2e-8");
    EXPECT_EQ(read->at("conversation:7b3e"), "100:104:101,102/100:105:/41/3");
    EXPECT_EQ(read->at("lanes"), "");
    EXPECT_EQ(read->text(), text);
}

TEST(stream_position, has_a_text_around_the_place_of_each_topic) {
    auto position = *stream_position::from("counts=8c;execution:12=7;jobs=1f2e-7");
    for (std::string const topic : {"counts", "execution:12", "jobs", "attention", "lanes"}) {
        auto const [before, behind] = position.text_around(topic);
        position.set(topic, "there");

        EXPECT_EQ(before + "there" + behind, position.text());
    }
}

TEST(stream_position, forgets_topics_that_are_not_watched_any_more) {
    auto const position = stream_position::from("execution:12=7;execution:13=2;jobs=1f2e-7");
    std::vector<std::string> const topics{"jobs", "execution:13", "lanes"};

    EXPECT_EQ(position->of(topics).text(), "execution:13=2;jobs=1f2e-7");
}

TEST(stream_position, of_nothing_is_the_beginning) {
    EXPECT_EQ(stream_position::from("")->text(), "");
}

TEST(stream_position, is_not_every_text) {
    for (auto const* text : {"7", "=7", "a=1;;b=2", "a=1;a=2", ";a=1"})
        EXPECT_FALSE(stream_position::from(text)) << text;
    EXPECT_FALSE(stream_position::from("a=" + std::string(longest_stream_position, '1')));
}

} // namespace
} // namespace postrider::api::stream_position_test
