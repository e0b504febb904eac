#include "base/utf8.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace postrider::base::utf8_test {
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

TEST(utf8, is_cut_between_characters) {
    std::string const text = "a\xc3\xa9\xf0\x9f\x98\x80!"; // of 1, 2, 4 and 1 bytes
    for (auto const& [bytes, whole] : std::vector<std::pair<std::size_t, std::size_t>>{
             {0, 0}, {1, 1}, {2, 1}, {3, 3}, {4, 3}, {5, 3}, {6, 3}, {7, 7}, {8, 8}, {99, 8}}) {
        EXPECT_EQ(cut_at_character(text, bytes), text.substr(0, whole)) << bytes;
        EXPECT_EQ(shortened(text, bytes), bytes < text.size() ? text.substr(0, whole) + "…" : text);
    }
    EXPECT_EQ(count_characters(text), 4u);
    EXPECT_EQ(count_characters(""), 0u);
    std::string longer;
    for (std::size_t characters = 1; characters <= 40; ++characters) {
        longer += characters % 3 == 0 ? "\xf0\x9f\x98\x80" : characters % 3 == 1 ? "a" : "\xc3\xa9";
        EXPECT_EQ(count_characters(longer), characters);
    }
}

TEST(utf8, what_is_none_is_cut_anywhere_and_never_to_nothing) {
    std::string const bytes(10, '\x80');
    EXPECT_EQ(cut_at_character(bytes, 6).size(), 6u);
}

TEST(utf8, counts_units_of_utf16_as_telegram_does) {
    EXPECT_EQ(utf16_length(""), 0u);
    EXPECT_EQ(utf16_length("abc"), 3u);
    EXPECT_EQ(utf16_length("é€"), 2u);
    EXPECT_EQ(utf16_length("😀"), 2u);
    EXPECT_EQ(utf16_length("\xff\xc3"), 2u);
}

TEST(utf8, finds_the_byte_of_a_unit_of_utf16) {
    std::string const text = "aé😀!"; // of 1, 2, 4 and 1 bytes; of 1, 1, 2 and 1 units
    EXPECT_EQ(byte_of_utf16(text, 0), 0u);
    EXPECT_EQ(byte_of_utf16(text, 2), 3u);
    EXPECT_EQ(byte_of_utf16(text, 3), std::nullopt) << "within a character";
    EXPECT_EQ(byte_of_utf16(text, 4), 7u);
    EXPECT_EQ(byte_of_utf16(text, 5), 8u) << "its end";
    EXPECT_EQ(byte_of_utf16(text, 6), std::nullopt);
    EXPECT_EQ(byte_of_utf16(text, -1), std::nullopt);
}

} // namespace
} // namespace postrider::base::utf8_test
