#include "server/terminal/screen_position.hpp"

#include <gtest/gtest.h>

#include <clocale>

namespace postrider::terminal {

void PrintTo(screen_position const& position, std::ostream* out) {
    *out << position.row << ':' << position.column;
}

namespace screen_position_test {
namespace {

// The thread's locale says how wide a character is.
class in_utf8 {
public:
    in_utf8() : previous_(::uselocale(locale_)) {}
    ~in_utf8() {
        ::uselocale(previous_);
        ::freelocale(locale_);
    }
    in_utf8(in_utf8 const&) = delete;
    in_utf8& operator=(in_utf8 const&) = delete;

private:
    locale_t locale_ = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{});
    locale_t previous_;
};

screen_position after(std::wstring_view text, int width = 10) {
    in_utf8 const locale;
    return advance({}, text, width);
}

TEST(screen_position, counts_columns_and_rows) {
    EXPECT_EQ(after(L"abc"), (screen_position{0, 3}));
    EXPECT_EQ(after(L"abc\nde"), (screen_position{1, 2}));
    EXPECT_EQ(after(L"abc\rd"), (screen_position{0, 1}));
}

TEST(screen_position, wraps_with_the_next_character_only) {
    EXPECT_EQ(after(L"0123456789"), (screen_position{0, 10}));
    EXPECT_EQ(after(L"0123456789a"), (screen_position{1, 1}));
    EXPECT_EQ(after(L"0123456789\na"), (screen_position{1, 1}));
}

TEST(screen_position, knows_how_wide_characters_are) {
    EXPECT_EQ(after(L"日本"), (screen_position{0, 4}));
    EXPECT_EQ(after(L"012345678日"), (screen_position{1, 2})) << "it is not cut in two";
    EXPECT_EQ(after(L"e\u0301"), (screen_position{0, 1}));
    EXPECT_EQ(after(L"a\x01"), (screen_position{0, 3})) << "shown as ^A";
}

TEST(screen_position, sequences_take_no_room) {
    EXPECT_EQ(after(L"ab\x1b[2mcd\x1b[0m"), (screen_position{0, 4}));
    EXPECT_EQ(after(L"ab\r\x1b[Kc"), (screen_position{0, 1}));
    EXPECT_EQ(after(L"ab\x1b["), (screen_position{0, 2}));
}

} // namespace
} // namespace screen_position_test
} // namespace postrider::terminal
