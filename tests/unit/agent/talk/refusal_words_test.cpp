// What people read where Telegram did not do something.
#include "agent/talk/refusal_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::refusal_words_test {
namespace {

using base::errc;
using testing::HasSubstr;
using testing::Not;

std::string words(errc code, std::string detail, std::string_view reason = {}) {
    return refusal_in_words(base::error(code, std::move(detail), reason));
}

TEST(refusal_words, say_what_is_to_be_done_about_a_missing_right) {
    auto const text =
        words(errc::refused, "Telegram answered 400: x", messenger_refusal::missing_right);

    EXPECT_THAT(text, HasSubstr("Make it an administrator"));
    EXPECT_THAT(text, Not(HasSubstr("400")));
}

TEST(refusal_words, have_no_code) {
    EXPECT_EQ(
        words(errc::refused, "Telegram answered 400: x", messenger_refusal::of_administrator),
        "the author is an administrator of the group"
    );
    EXPECT_THAT(words(errc::refused, "x", messenger_refusal::undeletable), HasSubstr("48 hours"));
    EXPECT_EQ(words(errc::refused, "another reason"), "another reason");
    EXPECT_EQ(words(errc::rate_limited, ""), "Telegram asked for a pause");
    EXPECT_EQ(
        words(errc::timeout, "no answer in 10s"), "Telegram did not answer: no answer in 10s"
    );
    EXPECT_EQ(words(errc::cancelled, ""), "it failed");
}

} // namespace
} // namespace postrider::agent::refusal_words_test
