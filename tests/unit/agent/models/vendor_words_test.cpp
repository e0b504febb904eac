#include "agent/models/vendor_words.hpp"
#include "base/utf8.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::vendor_words_test {
namespace {

using base::errc;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(vendor_words, are_quoted_on_one_line) {
    EXPECT_EQ(
        quote_words("Your credit balance is too low.\n\tGo to \x01 Plans & Billing."),
        "“Your credit balance is too low. Go to Plans & Billing.”"
    );
    EXPECT_EQ(quote_words("a “quoted” word"), "“a \"quoted\" word”");
    EXPECT_EQ(quote_words(""), "");
    EXPECT_EQ(quote_words(" \n"), "");
}

TEST(vendor_words, are_of_bounded_length_and_valid) {
    std::string long_text;
    for (int i = 0; i < 100'000; ++i) long_text += "wörter ";
    auto const cut = quote_words(long_text);

    EXPECT_LE(cut.size(), 320u);
    EXPECT_THAT(cut, StartsWith("“wörter wörter"));
    EXPECT_THAT(cut, EndsWith("wörter …”"));
    EXPECT_EQ(quote_words(std::string(5000, 'x')), "“…”");
    EXPECT_TRUE(base::is_utf8(quote_words("broken \xff\xc3 text")));
    EXPECT_EQ(quote_words(std::string_view("zero\0byte", 9)), "“zero byte”");
}

TEST(vendor_words, hold_no_secrets) {
    for (std::string_view const secret :
         {"sk-proj-abc1",
          "(sk-ant-api03-xyz)",
          "'gsk_123'",
          "AIzaSyA1",
          "abcd********wxyz",
          "0123456789abcdef0123456789abcdef",
          "https://ann:pass@example.org/",
          "https://example.org/v1?token=abc"})
        EXPECT_EQ(quote_words("Refused: " + std::string(secret) + " it is"), "“Refused: *** it is”")
            << secret;
    EXPECT_EQ(
        quote_words("Authorization: Bearer tok3n is wrong"), "“Authorization: Bearer *** is wrong”"
    );
}

TEST(vendor_words, keep_names_and_addresses) {
    constexpr std::string_view plain =
        "Model claude-sonnet-4-5-20250929 or meta-llama/Llama-3.3-70B-Instruct-Turbo: see "
        "https://docs.example.org/errors, the task-list and disk-space.";

    EXPECT_EQ(quote_words(plain), "“" + std::string(plain) + "”");
}

TEST(vendor_words, hide_the_key_that_was_used) {
    base::error const said(errc::unauthorized, "HTTP 401: “No such key: my.own.key”");

    EXPECT_THAT(without_key(said, "my.own.key").detail, Not(HasSubstr("own")));
    EXPECT_EQ(without_key(said, "").detail, said.detail);
}

TEST(vendor_words, are_no_part_of_a_log) {
    auto const logged = [](std::string detail) {
        return base::to_string(without_words({errc::budget, std::move(detail)}));
    };

    EXPECT_EQ(logged("HTTP 400 invalid_request_error"), "budget: HTTP 400 invalid_request_error");
    EXPECT_EQ(
        logged("HTTP 400 invalid_request_error: " + quote_words("Your words: too low")),
        "budget: HTTP 400 invalid_request_error"
    );
    EXPECT_EQ(
        logged("HTTP 529: “a”; then the time was up"), "budget: HTTP 529; then the time was up"
    );
    EXPECT_EQ(logged("HTTP 529: “never closed"), "budget: HTTP 529");
}

} // namespace
} // namespace postrider::agent::vendor_words_test
