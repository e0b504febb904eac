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
    work_budget budget(most_page_work);
    auto const places = parsed->select(tree, 100, budget);
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

TEST(css_selector, counts_within_bounds) {
    EXPECT_THAT(found("li:nth-child(2147483647)"), HasSubstr("a number is missing"));
    EXPECT_EQ(found("li:nth-child(n - 1000000)"), "a b c");
}

bool is_too_much(std::string const& hostile, std::string_view selector) {
    work_budget budget(most_page_work);
    auto const elements =
        css_selector::parse(selector).value().select(read_html(hostile).value(), 10, budget);
    return !elements && elements.error() == base::errc::too_large;
}

TEST(css_selector, ends_whatever_the_page_is) {
    std::string nested;
    for (int i = 0; i < 200; ++i) nested += "<i>";
    for (int i = 0; i < 5000; ++i) nested += "<b></b>";
    EXPECT_TRUE(is_too_much(nested, "u i i i i i i i i b"));
}

TEST(css_selector, counts_the_bytes_that_it_compares) {
    std::string wide = "<p class='" + std::string(500'000, 'x') + "'>";
    for (int i = 0; i < 5000; ++i) wide += "<b></b>";
    EXPECT_TRUE(is_too_much(wide, "[class~=y] b"));
    EXPECT_FALSE(is_too_much(wide, "[class~=y]"));
}

TEST(css_selector, shares_its_budget_with_others) {
    auto const tree = read_html(page).value();
    auto const selector = css_selector::parse("li").value();
    work_budget budget(20); // the page has 15 elements
    EXPECT_TRUE(selector.select(tree, 10, budget));
    EXPECT_EQ(selector.select(tree, 10, budget).error(), base::errc::too_large);
}

} // namespace
} // namespace postrider::agent::formats::css_selector_test
