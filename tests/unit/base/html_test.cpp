#include "base/html.hpp"

#include <gtest/gtest.h>

namespace postrider::base::html_test {
namespace {

TEST(html, escapes_what_has_a_meaning) {
    EXPECT_EQ(html_escaped("a <b> & \"c\" 'd' ü"), "a &lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; ü");
}

TEST(html, escapes_entities_again) {
    EXPECT_EQ(html_escaped("&lt;"), "&amp;lt;");
    EXPECT_EQ(html_unescaped("&amp;lt;"), "&lt;");
}

TEST(html, undoes_what_it_escaped) {
    std::string_view const text = "<a href=\"x?a=1&amp;b\">it's</a>";
    EXPECT_EQ(html_unescaped(html_escaped(text)), text);
}

} // namespace
} // namespace postrider::base::html_test
