#include "base/setting.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::base::setting_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Optional;

setting row(setting_type type, std::string_view constraint = "") {
    return {.key = "some.key", .type = type, .constraint = constraint};
}

TEST(setting, a_choice_is_one_of_its_words) {
    auto const choice = row(setting_type::text, "logfmt|json");
    EXPECT_EQ(problem_with(choice, "json"), std::nullopt);
    EXPECT_THAT(
        problem_with(choice, "xml"),
        Optional(std::string(R"(must be one of logfmt, json; not "xml")"))
    );
    EXPECT_THAT(
        problem_with(choice, "jsno"),
        Optional(std::string(R"(must be one of logfmt, json; not "jsno"; did you mean json?)"))
    );
    EXPECT_TRUE(problem_with(choice, "logfmt|json"));
    EXPECT_TRUE(problem_with(choice, "log"));
}

TEST(setting, a_text_without_a_choice_is_free) {
    EXPECT_EQ(problem_with(row(setting_type::text), "any thing"), std::nullopt);
}

TEST(setting, no_text_holds_a_nul_byte) {
    std::string_view const cut{"var\0/other", 10};
    for (auto type : {setting_type::text, setting_type::url, setting_type::words})
        EXPECT_THAT(problem_with(row(type), cut), Optional(std::string("holds a NUL byte")));
}

TEST(setting, an_integer_stays_in_its_range) {
    auto const integer = row(setting_type::integer, "1..50");
    for (auto good : {"1", "50", "7"}) EXPECT_EQ(problem_with(integer, good), std::nullopt) << good;
    for (auto bad : {"0", "51", "-1"})
        EXPECT_THAT(
            problem_with(integer, bad), Optional(std::string("must be within 1..50, not ") + bad)
        );
    for (auto bad : {"seven", "1.5", "7 ", "99999999999999999999", "0x10"})
        EXPECT_EQ(
            problem_with(integer, bad).value_or(""),
            std::string("must be a whole number within 1..50, not \"") + bad + "\""
        );
    EXPECT_EQ(
        problem_with(row(setting_type::integer), "x\n" + std::string(50, 'y')).value_or(""),
        "must be a whole number, not \"x " + std::string(38, 'y') + "…\""
    );
}

TEST(setting, a_span_stays_in_its_range_and_names_its_unit) {
    auto const span = row(setting_type::span, "1s..1h");
    for (auto good : {"1s", "1000ms", "60min", "1h"})
        EXPECT_EQ(problem_with(span, good), std::nullopt) << good;
    EXPECT_THAT(problem_with(span, "999ms"), Optional(HasSubstr("must be within")));
    EXPECT_THAT(problem_with(span, "61min"), Optional(HasSubstr("must be within")));
    EXPECT_THAT(problem_with(span, "10"), Optional(HasSubstr("with its unit")));
    EXPECT_THAT(problem_with(span, "10"), Optional(HasSubstr("within 1s..1h, not \"10\"")));
}

TEST(setting, a_range_may_be_open_at_one_end) {
    EXPECT_TRUE(problem_with(row(setting_type::integer, "0.."), "-1"));
    EXPECT_FALSE(problem_with(row(setting_type::integer, "0.."), "9223372036854775807"));
    EXPECT_TRUE(problem_with(row(setting_type::integer, "..9"), "10"));
}

TEST(setting, numbers_are_whole) {
    auto const numbers = row(setting_type::numbers);
    EXPECT_EQ(problem_with(numbers, "1, -2,3"), std::nullopt);
    EXPECT_TRUE(problem_with(numbers, "1, two"));
}

TEST(setting, a_secret_holds_no_blank_and_is_not_quoted_back) {
    auto const token = row(setting_type::secret);
    EXPECT_EQ(problem_with(token, "123:ABC-def_"), std::nullopt);
    for (auto bad : {"with blank", "tab\t", "line\n", "\x7f"}) {
        auto const problem = problem_with(token, bad);
        ASSERT_TRUE(problem) << bad;
        EXPECT_THAT(*problem, Not(HasSubstr("with")));
    }
}

TEST(setting, unset_is_fit_for_every_type) {
    for (auto type :
         {setting_type::text,
          setting_type::integer,
          setting_type::span,
          setting_type::numbers,
          setting_type::secret,
          setting_type::url})
        EXPECT_EQ(problem_with(row(type, "1..2"), ""), std::nullopt);
}

TEST(masked, secrets_are_never_shown) {
    EXPECT_EQ(masked(row(setting_type::secret), "123:ABC"), "********");
    EXPECT_EQ(masked(row(setting_type::secret), ""), "") << "so that unset shows";
    EXPECT_EQ(masked(row(setting_type::text), "plain"), "plain");
}

TEST(masked, passwords_of_urls_are_never_shown) {
    for (auto url :
         {"postgres://user:hunter2@host/db",
          "postgres://user:hunter2@host",
          "postgres://user:hunter2@one,two:5433/db?target_session_attrs=read-write",
          "postgres://user:x@hunter2@host/db",
          "postgres://user:hun/hunter2@host/db",
          "postgres://user:hun?hunter2@host/db",
          "postgres://host/db?password=hunter2",
          "postgres://host/db?a=b&password=hunter2&c=d",
          "host=h password=hunter2",
          "host=h password=hunter2 dbname=d",
          "password='x hunter2' host=h"}) {
        auto const shown = masked(row(setting_type::url), url);
        EXPECT_THAT(shown, Not(HasSubstr("hunter2"))) << url;
        EXPECT_THAT(shown, HasSubstr("********")) << url;
    }
}

std::string shown(std::string_view url) {
    return masked(row(setting_type::url), url);
}

TEST(masked, every_parameter_of_a_url_that_is_a_password_is_hidden) {
    EXPECT_EQ(
        shown("postgres://u@h/x?sslpassword=aaa&password=s3cret&a=b"),
        "postgres://u@h/x?sslpassword=********&password=********&a=b"
    );
    EXPECT_EQ(shown("postgres://h/x?pass%77ord=s3cret"), "postgres://h/x?pass%77ord=********");
    EXPECT_EQ(shown("postgres://h:5432/x?password=a@s3"), "postgres://h:5432/x?password=********");
    EXPECT_EQ(shown("postgres://h/x?password=a?s3&b=c"), "postgres://h/x?password=********&b=c");
    EXPECT_EQ(shown("postgres://h/x?password=a&s3&b=c"), "postgres://h/x?password=********&b=c");
    EXPECT_EQ(
        shown("postgres://u:a?b=s3@h/x?password=c@s3"),
        "postgres://u:********@h/x?password=********"
    );
}

TEST(masked, keywords_are_read_as_libpq_reads_them) {
    EXPECT_EQ(shown("host=h password = s3cret dbname=x"), "host=h password = ******** dbname=x");
    EXPECT_EQ(shown("password=\t'a s3cret' host=h"), "password=\t******** host=h");
    EXPECT_EQ(shown(R"(password='s3\'cret' host=h)"), "password=******** host=h");
    EXPECT_EQ(shown(R"(password=s3\ cret host=h)"), "password=******** host=h");
    EXPECT_EQ(shown("password='s3'sslpassword=cret"), "password=********sslpassword=********");
    EXPECT_EQ(shown("password=a password=b"), "password=******** password=********");
    EXPECT_EQ(shown("password= s3cret"), "password= ********");
    EXPECT_EQ(shown("host=h password=a://s3cret"), "host=h password=********");
}

TEST(masked, what_follows_a_mistake_among_keywords_is_hidden) {
    EXPECT_EQ(shown("password=s3 cret host=h"), "password=******** ********");
    EXPECT_EQ(shown("host=h password='s3cret"), "host=h ********");
    EXPECT_EQ(shown("host=h password s3cret"), "host=h ********");
    EXPECT_EQ(shown("user:s3cret@host/db"), "********");
}

TEST(masked, what_holds_no_password_stays_as_it_is) {
    for (auto url :
         {"postgres://host:5432/db",
          "postgres://user@host/db",
          "postgres://host/db?passfile=a&application_name=b%20c&d",
          "https://host/path",
          "host=h dbname=d",
          R"(host = h  dbname='a\'b c')",
          "host=h passfile=/x",
          "host=h dbname",
          "host='h",
          "password=",
          "postgres://host/db?password=&a=b",
          "/tmp"})
        EXPECT_EQ(shown(url), url);
}

TEST(split_words, drops_blanks_and_empty_items) {
    EXPECT_THAT(split_words("a, b ,\tc d ,,"), ElementsAre("a", "b", "c d"));
    EXPECT_THAT(split_words(""), IsEmpty());
    EXPECT_THAT(split_words(" , "), IsEmpty());
}

TEST(nearest, finds_the_slip_or_the_same_last_segment_or_nothing) {
    std::vector<std::string> const known{"engine.slots", "log.level", "telegram.bot_token"};
    EXPECT_EQ(nearest("engine.slot", known), "engine.slots");
    EXPECT_EQ(nearest("engin.slots", known), "engine.slots");
    EXPECT_EQ(nearest("bot.bot_token", known), "telegram.bot_token");
    EXPECT_EQ(nearest("level", known), "log.level");
    EXPECT_EQ(nearest("colour", known), "");
    EXPECT_EQ(nearest("", known), "");
}

} // namespace
} // namespace postrider::base::setting_test
