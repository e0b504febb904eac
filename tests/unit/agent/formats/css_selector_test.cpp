#include "agent/formats/css_selector.hpp"

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::formats::css_selector_test {
namespace {

using testing::HasSubstr;

constexpr std::string_view page = R"(<html><body>
<h1 id=top>Title</h1>
<ul class="list wide">
<li id=a class=odd><a href="https://example.org/a" lang=en-GB>A</a></li>
<li id=b><a href="/b.PDF" title="the b">B</a></li>
<li id=c class=odd><span id=s></span></li>
</ul>
<p id=p>one</p><div id=d><p id=q>two</p><p id=r>three</p></div>
</body></html>)";

// The ids of the elements, or the names of those without.
std::string found(std::string_view selector) {
    static auto const tree = read_html(page).value();
    auto const parsed = css_selector::parse(selector);
    if (!parsed) return to_string(parsed.error());
    auto const places = parsed->select(tree, 100);
    if (!places) return to_string(places.error());
    std::vector<std::string> names;
    for (auto const place : *places) {
        auto const* id = tree[place].attribute("id");
        names.push_back(id ? *id : tree[place].name);
    }
    return fmt::format("{}", fmt::join(names, " "));
}

TEST(css_selector, finds_elements) {
    struct selection {
        std::string_view selector;
        std::string_view found;
    };
    for (auto const& [selector, ids] : {
             selection{"li", "a b c"},
             selection{"#top", "top"},
             selection{"LI.odd", "a c"},
             selection{".list.wide > li", "a b c"},
             selection{"ul > a", ""},
             selection{"body a", "a a"},
             selection{"h1 + ul", "ul"},
             selection{"#a ~ li", "b c"},
             selection{"h1, #s", "top s"},
             selection{"[href]", "a a"},
             selection{"a[href^='https://']", "a"},
             selection{"a[href*=\"example\"]", "a"},
             selection{"a[href$=\".pdf\" i]", "a"},
             selection{"a[href$='.pdf']", ""},
             selection{"[lang|=en]", "a"},
             selection{"[class~=wide]", "ul"},
             selection{"[title='the b']", "a"},
             selection{"li:first-child, li:last-child", "a c"},
             selection{"li:nth-child(2)", "b"},
             selection{"li:nth-child(odd)", "a c"},
             selection{"li:nth-child(2n)", "b"},
             selection{"li:nth-child(-n + 2)", "a b"},
             selection{"li:nth-last-child(1)", "c"},
             selection{"p:first-of-type", "p q"},
             selection{"body > p:nth-of-type(1)", "p"},
             selection{"p:last-of-type", "p r"},
             selection{"span:only-child", "s"},
             selection{"li:not(.odd)", "b"},
             selection{"li:not(#a, #b)", "c"},
             selection{"li:has(> a)", "error"},
             selection{"li:has(a[title])", "b"},
             selection{":is(h1, p)#p", "p"},
             selection{"span:empty", "s"},
             selection{":root", "html"},
             selection{"*", "html body top ul a a b a c s p d q r"},
         }) {
        if (ids == "error")
            EXPECT_THAT(found(selector), HasSubstr("a selector is missing"));
        else
            EXPECT_EQ(found(selector), ids) << selector;
    }
}

TEST(css_selector, says_what_it_does_not_understand) {
    EXPECT_THAT(found(""), HasSubstr("a selector is missing"));
    EXPECT_THAT(found("a,"), HasSubstr("character 3: a selector is missing"));
    EXPECT_THAT(found("a["), HasSubstr("a name is missing"));
    EXPECT_THAT(found("a[b"), HasSubstr("an = is missing"));
    EXPECT_THAT(found("a[b='c"), HasSubstr("a quote is not closed"));
    EXPECT_THAT(found("li:hover"), HasSubstr("character 4: this pseudo-class is not known"));
    EXPECT_THAT(found("li::before"), HasSubstr("a name is missing"));
    EXPECT_THAT(found("a:nth-child(x)"), HasSubstr("a number is missing"));
    EXPECT_THAT(found("a)"), HasSubstr("what follows is not understood"));
    EXPECT_THAT(found(std::string(most_selector_bytes + 1, 'a')), HasSubstr("too_large"));
}

TEST(css_selector, ends_whatever_the_page_is) {
    std::string nested;
    for (int i = 0; i < 200; ++i) nested += "<i>";
    for (int i = 0; i < 5000; ++i) nested += "<b></b>";
    auto const tree = read_html(nested).value();
    auto const selector = css_selector::parse("u i i i i i i i i b").value();
    auto const found = selector.select(tree, 10);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error(), base::errc::too_large);
}

} // namespace
} // namespace postrider::agent::formats::css_selector_test
