// Texts of the web as UTF-8.
#include "agent/tools/charset.hpp"
#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace postrider::agent {
namespace {

TEST(charset, is_named_by_the_content_type) {
    EXPECT_EQ(charset_of("text/html; charset=ISO-8859-1"), "iso-8859-1");
    EXPECT_EQ(charset_of("text/html;Charset = \"utf-8\" ; x=y"), "utf-8");
    EXPECT_EQ(charset_of("text/html"), "");
    EXPECT_EQ(charset_of("text/html; charset"), "");
}

TEST(charset, is_named_by_the_page) {
    EXPECT_EQ(charset_of_page("<html><META charset='windows-1251'>"), "windows-1251");
    EXPECT_EQ(
        charset_of_page("<meta name=a><meta http-equiv=x content=\"text/html; charset=koi8-r\">"),
        "koi8-r"
    );
    EXPECT_EQ(charset_of_page("\xef\xbb\xbf<p>"), "utf-8");
    EXPECT_EQ(charset_of_page(std::string_view("\xff\xfe<\0", 4)), "utf-16le");
    EXPECT_EQ(charset_of_page("<meta charset=utf-16>"), "utf-8") << "it was read as ASCII";
    EXPECT_EQ(charset_of_page("<p>charset=x"), "");
    EXPECT_EQ(charset_of_page("<meta charset="), "");
}

TEST(charset, becomes_utf8) {
    EXPECT_EQ(to_utf8("caf\xe9 \x80", "iso-8859-1"), "café €") << "as browsers read it";
    EXPECT_EQ(to_utf8("\xcf\xf0\xe8\xe2\xe5\xf2", "windows-1251"), "Привет");
    EXPECT_EQ(to_utf8("\x93\xfa\x96\x7b", "shift_jis"), "日本");
    EXPECT_EQ(to_utf8("\xc4\xe3\xba\xc3", "gb2312"), "你好");
    EXPECT_EQ(to_utf8(std::string("a\0b\0", 4), "utf-16le"), "ab");
    EXPECT_EQ(to_utf8("\xef\xbb\xbfgrüß", ""), "grüß") << "without its mark";
}

TEST(charset, is_guessed_where_it_is_missing_or_unknown) {
    EXPECT_EQ(to_utf8("grüß", ""), "grüß");
    EXPECT_EQ(to_utf8("gr\xfc\xdf", ""), "grüß");
    EXPECT_EQ(to_utf8("gr\xfc\xdf", "x-user-defined"), "grüß");
    EXPECT_EQ(to_utf8("gr\xfc", "utf-8"), "gr\xef\xbf\xbd");
}

TEST(charset, whose_bytes_are_no_character_has_a_mark_in_their_place) {
    EXPECT_EQ(
        to_utf8(
            "a\xff"
            "b",
            "shift_jis"
        ),
        "a\xef\xbf\xbd"
        "b"
    );
    for (auto const* name : {"big5", "euc-jp", "euc-kr", "gb18030", "iso-2022-jp", "utf-16be"}) {
        auto const text = to_utf8("\x81\xff\xfe\x1b$B\x80", name);
        EXPECT_TRUE(base::is_utf8(text)) << name;
    }
}

} // namespace
} // namespace postrider::agent
