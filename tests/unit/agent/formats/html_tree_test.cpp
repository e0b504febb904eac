#include "agent/formats/html_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::formats::html_tree_test {
namespace {

std::size_t find(html_tree const& tree, std::string_view name) {
    for (std::size_t i = 0; i < tree.size(); ++i)
        if (tree[i].name == name) return i;
    return no_node;
}

TEST(html_tree, has_the_elements_of_the_page) {
    auto const tree = read_html("<ul><li class=a>One<li>Two</ul>").value();
    auto const list = find(tree, "ul");
    ASSERT_NE(list, no_node);
    auto const first = find(tree, "li");
    ASSERT_NE(first, no_node);
    EXPECT_EQ(*tree[first].attribute("class"), "a");
    EXPECT_EQ(tree[first].attribute("id"), nullptr);
    EXPECT_EQ(tree[first].parent, list);
    ASSERT_NE(tree[first].next, no_node);
    EXPECT_EQ(text_within(tree, tree[first].next), "Two");
    EXPECT_EQ(tree[tree[first].next].position, 2);
}

TEST(html_tree, tells_text_as_people_read_it) {
    auto const tree =
        read_html("<body><h1>A  title</h1><p>and <b>b</b>old\n text<script>x()</script></p>end")
            .value();
    EXPECT_EQ(text_within(tree, find(tree, "body")), "A title and bold text end");
    EXPECT_EQ(text_within(tree, find(tree, "body"), {find(tree, "p")}), "A title end");
}

TEST(html_tree, tells_the_markup_within_an_element) {
    auto const tree =
        read_html("<div><a href=\"?a=1&amp;b=2\">x &lt; y</a><br><script>a<b</script></div>")
            .value();
    EXPECT_EQ(
        html_within(tree, find(tree, "div")),
        "<a href=\"?a=1&amp;b=2\">x &lt; y</a><br><script>a<b</script>"
    );
}

TEST(html_tree, is_bounded) {
    EXPECT_EQ(read_html(std::string(most_html_bytes + 1, ' ')).error(), base::errc::too_large);
    std::string many;
    for (std::size_t i = 0; i <= most_html_nodes; ++i) many += "<p>a";
    EXPECT_EQ(read_html(many).error(), base::errc::too_large);
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += "<i>";
    EXPECT_TRUE(read_html(deep)) << "it ends where nobody reads on";
}

std::string tag_with_attributes(int count) {
    std::string tag = "<p";
    for (int i = 0; i < count; ++i) tag += " a" + std::to_string(i);
    return tag + ">text</p>";
}

TEST(html_tree, ends_at_a_tag_with_too_many_attributes) {
    auto const usual = read_html("<i>1</i>" + tag_with_attributes(1000) + "<b>2</b>").value();
    EXPECT_EQ(text_within(usual, 0), "1 text 2");
    auto const hostile = read_html("<i>1</i>" + tag_with_attributes(100'000) + "<b>2</b>").value();
    EXPECT_EQ(text_within(hostile, 0), "1");
}

TEST(html_tree, ends_where_the_tags_together_have_too_many_attributes) {
    std::string page;
    for (int i = 0; i < 30; ++i) page += tag_with_attributes(3900);
    auto const text = text_within(read_html(page).value(), 0);
    EXPECT_LT(text.size(), 20 * std::string_view("text ").size());
    EXPECT_NE(text, "");
}

TEST(html_tree, reads_pages_that_are_mostly_blanks) {
    std::string page;
    while (page.size() < 500'000) page += "<p id=x title='a b'>" + std::string(500, ' ') + "</p>\n";
    page += "<b>end</b>";
    EXPECT_EQ(text_within(read_html(page).value(), 0), "end");
}

// Of which the parser sees a part at a time.
TEST(html_tree, reads_attributes_that_are_longer_than_a_piece) {
    std::string words;
    while (words.size() < 20'000) words += std::string(60, 'a') + " > b < c's ";
    auto const tree =
        read_html("<p title=\"" + words + "\" id=x>1</p><b>2</b><script>a<b \"'</script><i>3</i>")
            .value();
    ASSERT_NE(find(tree, "p"), no_node);
    EXPECT_EQ(*tree[find(tree, "p")].attribute("title"), words);
    EXPECT_EQ(*tree[find(tree, "p")].attribute("id"), "x");
    EXPECT_EQ(text_within(tree, 0), "1 23");
}

} // namespace
} // namespace postrider::agent::formats::html_tree_test
