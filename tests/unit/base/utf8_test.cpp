#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace postrider::base {
namespace {

TEST(utf8, of_every_length_is_known_and_left_as_it_is) {
    for (std::string const text : {"", "a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80!"}) {
        EXPECT_TRUE(is_utf8(text)) << text;
        EXPECT_EQ(as_utf8(text), text);
    }
}

TEST(utf8, what_is_none_is_replaced_byte_by_byte) {
    EXPECT_EQ(
        as_utf8("a\xff"
                "b"),
        "a\xef\xbf\xbd"
        "b"
    );
    EXPECT_EQ(as_utf8("\xc3"), "\xef\xbf\xbd") << "half a character";
    EXPECT_EQ(as_utf8("\xe2\x82\xc3\xa9"), "\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9");
    for (auto const* text : {"\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80"}) {
        EXPECT_FALSE(is_utf8(text)) << "too long, a surrogate, beyond Unicode, no beginning";
        EXPECT_TRUE(is_utf8(as_utf8(text)));
    }
}

} // namespace
} // namespace postrider::base
