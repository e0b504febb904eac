// Texts of the web as UTF-8.
#include "agent/formats/charset.hpp"
#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::formats::charset_test {
namespace {

std::string to_utf8(std::string bytes, std::string_view charset) {
    utf8_conversion conversion(std::move(bytes), charset);
    while (conversion.step()) {
    }
    return conversion.take();
}

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
    EXPECT_EQ(charset_of_page("<meta charset=utf-16>"), "utf-8") << "it was read as ASCII";
    EXPECT_EQ(charset_of_page("<p>charset=x"), "");
    EXPECT_EQ(charset_of_page("<meta charset="), "");
}

TEST(charset, is_named_by_a_mark) {
    EXPECT_EQ(charset_of_mark("\xef\xbb\xbf<p>"), "utf-8");
    EXPECT_EQ(charset_of_mark(std::string_view("\xff\xfe<\0", 4)), "utf-16le");
    EXPECT_EQ(charset_of_mark(std::string_view("\xfe\xff\0<", 4)), "utf-16be");
    EXPECT_EQ(charset_of_mark("<p>"), "");
    EXPECT_EQ(charset_of_mark(""), "");
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

TEST(charset, goes_on_behind_half_a_pair_of_utf_16) {
    EXPECT_EQ(
        to_utf8(
            std::string(
                "a\0\x00\xd8"
                "b\0c\0",
                8
            ),
            "utf-16le"
        ),
        "a\xef\xbf\xbd"
        "bc"
    );
    EXPECT_EQ(
        to_utf8(std::string("\0a\xdc\x00\0b", 6), "utf-16be"),
        "a\xef\xbf\xbd"
        "b"
    );
    EXPECT_EQ(to_utf8(std::string("a\0b", 3), "utf-16le"), "a\xef\xbf\xbd") << "cut";
}

TEST(charset, keeps_a_letter_that_an_accent_may_follow) {
    EXPECT_EQ(to_utf8("abc", "windows-1258"), "abc");
    EXPECT_EQ(to_utf8("\xf9\xec\xe5\xed", "windows-1255"), "שלום");
}

TEST(charset, is_converted_in_pieces_as_in_one) {
    std::string bytes;
    std::string text;
    for (int i = 0; i < 20'000; ++i) {
        bytes += i % 7 == 0 ? "x\x93\xfa" : "\x93\xfa";
        text += i % 7 == 0 ? "x日" : "日";
    }
    utf8_conversion conversion(bytes, "shift_jis");

    int steps = 1;
    while (conversion.step()) ++steps;

    EXPECT_EQ(conversion.take(), text);
    EXPECT_GE(steps, 3) << "so that others run in between";
    EXPECT_EQ(to_utf8(std::string(40'001, '\xff'), "euc-jp").size(), 3u * 40'001);
}

} // namespace
} // namespace postrider::agent::formats::charset_test
