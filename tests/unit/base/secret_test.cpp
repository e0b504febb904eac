#include "base/secret.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>
#include <type_traits>

namespace postrider::base::secret_test {
namespace {

template<class T>
concept printable = requires(std::ostream& out, T const& value) {
    out << value;
};

static_assert(!printable<secret>);
static_assert(!fmt::is_formattable<secret>::value);
static_assert(!std::is_convertible_v<secret, std::string>);
static_assert(!std::is_convertible_v<secret, std::string_view>);
static_assert(!std::is_convertible_v<std::string, secret>);

TEST(secret, matches_its_own_text_only) {
    secret const token{"s3cret-token"};
    EXPECT_TRUE(token.matches("s3cret-token"));
    for (auto other :
         {"", "s", "s3cret-tokeN", "S3cret-token", "s3cret-toke", "s3cret-token ", "x"})
        EXPECT_FALSE(token.matches(other)) << other;
}

TEST(secret, a_repetition_of_it_is_not_it) {
    EXPECT_FALSE(secret{"ab"}.matches("abab"));
    EXPECT_FALSE(secret{"a"}.matches("aa"));
    EXPECT_FALSE(secret{"abab"}.matches("ab"));
}

TEST(secret, a_difference_in_any_bit_of_any_place_counts) {
    std::string const text = "0123456789abcdef";
    secret const token{text};
    for (std::size_t i = 0; i < text.size(); ++i)
        for (int bit = 0; bit < 8; ++bit) {
            auto other = text;
            other[i] = static_cast<char>(other[i] ^ (1 << bit));
            EXPECT_FALSE(token.matches(other)) << i << ' ' << bit;
        }
}

TEST(secret, bytes_of_zero_count) {
    using namespace std::string_literals;
    EXPECT_FALSE(secret{"a\0b"s}.matches("a"s));
    EXPECT_FALSE(secret{"a"s}.matches("a\0"s));
    EXPECT_TRUE(secret{"a\0b"s}.matches("a\0b"s));
}

TEST(secret, an_unset_one_lets_nobody_in) {
    EXPECT_TRUE(secret{}.empty());
    EXPECT_FALSE(secret{}.matches(""));
    EXPECT_FALSE(secret{}.matches("anything"));
    EXPECT_FALSE(secret{} == secret{});
}

TEST(secret, equality_is_matching) {
    EXPECT_TRUE(secret{"a"} == secret{"a"});
    EXPECT_FALSE(secret{"a"} == secret{"b"});
}

} // namespace
} // namespace postrider::base::secret_test
