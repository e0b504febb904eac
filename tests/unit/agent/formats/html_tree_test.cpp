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

} // namespace
} // namespace postrider::agent::formats::html_tree_test
