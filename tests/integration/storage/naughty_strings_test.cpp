// Texts that break programs, there and back: the Big List of Naughty Strings where it is at hand,
// and a few of our own.
#include "base/json/json.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/postgres.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace postrider::storage::naughty_strings_test {
namespace {

constexpr statement echo{"test.echo", "select $1::text, jsonb_build_object('text', $1::text)"};

void expect_unchanged(transaction& tx, std::string const& text) {
    auto const found = tx.query(echo, {text});
    EXPECT_EQ(found.at(0).text(0), text);
    EXPECT_EQ(found.at(0).json(1).at("text").as_string(), text);
}

TEST(naughty_strings, of_our_own_come_back_unchanged) {
    tests::test_database where{tests::test_database::content::empty};
    std::vector<std::string> const texts{
        "",
        " ",
        "'",
        "''; drop table x; --",
        "\\",
        "\\u0000",
        "$1",
        "%s",
        "{}",
        "\x01\x7f\t\r\n",
        "\xf0\x9f\x92\x8c \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb",
        "\xe2\x80\xae",
        "\xef\xbb\xbf",
        std::string(1 << 20, 'x')};

    auto const done = run_blocking(where.options(), [&](transaction& tx) {
        for (auto const& text : texts) expect_unchanged(tx, text);
    });

    EXPECT_TRUE(done) << to_string(done.error());
}

TEST(naughty_strings, that_are_not_utf8_are_poison) {
    tests::test_database where{tests::test_database::content::empty};

    for (std::string const text : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf8\x88\x80\x80\x80"}) {
        auto const done =
            run_blocking(where.options(), [&](transaction& tx) { tx.query(echo, {text}); });
        EXPECT_EQ(done.error(), base::errc::poison);
    }
}

TEST(naughty_strings, of_the_big_list_come_back_unchanged) {
    std::ifstream in(tests::source("../shared/data/naughty-strings/blns.json"));
    if (!in)
        GTEST_SKIP() << "no list at " << tests::source("../shared/data/naughty-strings/blns.json");
    std::stringstream content;
    content << in.rdbuf();
    auto const list = base::parse_json(content.str());
    ASSERT_TRUE(list) << to_string(list.error());
    tests::test_database where{tests::test_database::content::empty};

    auto const done = run_blocking(where.options(), [&](transaction& tx) {
        for (auto const& entry : list->as_array())
            if (auto const& text = entry.as_string(); text.find('\0') == text.npos)
                expect_unchanged(tx, std::string(text));
    });

    EXPECT_TRUE(done) << to_string(done.error());
}

} // namespace
} // namespace postrider::storage::naughty_strings_test
