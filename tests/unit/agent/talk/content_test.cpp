#include "agent/talk/content.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace postrider::agent::content_test {
namespace {

namespace json = boost::json;

TEST(content, is_read_as_it_was_written) {
    button_rows const rows{
        {{.text = "Yes", .data = "yes"}, {.text = "Page", .url = "https://example.org"}}};

    EXPECT_EQ(buttons_from(json::value(to_json(rows))), rows);
}

TEST(content, what_is_no_button_is_left_out) {
    auto const read = buttons_from(json::parse(
        R"([[{"text": "no effect"}, {"data": "no text"}, 7], "row", [{"text": "a", "data": "b"}]])"
    ));

    EXPECT_EQ(read, (button_rows{{{.text = "a", .data = "b"}}}));
}

TEST(content, knows_what_no_messenger_takes) {
    auto violates = [](message_content const& content) {
        return content_violation(content).has_value();
    };
    auto with = [](button shown) {
        message_content content{.text = "x"};
        content.buttons = {{std::move(shown)}};
        return content;
    };

    EXPECT_TRUE(violates({}));
    EXPECT_FALSE(content_violation({}, true));
    EXPECT_FALSE(violates({.text = "x"}));
    EXPECT_FALSE(violates(with({.text = "a", .data = std::string(64, 'd')})));
    EXPECT_TRUE(violates(with({.text = "a", .data = std::string(65, 'd')})));
    EXPECT_TRUE(violates(with({.text = "a"})));
    EXPECT_TRUE(violates(with({.text = "", .data = "d"})));
    EXPECT_TRUE(violates(with({.text = "a", .data = "d", .url = "https://example.org"})));
}

TEST(content, without_markup_is_what_people_read) {
    EXPECT_EQ(without_markup("<b>1 &lt; 2</b> &amp; <a href=\"x\">so</a>"), "1 < 2 & so");
    EXPECT_EQ(without_markup("<b>not closed"), "not closed");
    EXPECT_EQ(without_markup("1 < 2 and 3 > 2 <"), "1 < 2 and 3 > 2 <");
    EXPECT_EQ(without_markup("an end <b"), "an end <b");
}

} // namespace
} // namespace postrider::agent::content_test
