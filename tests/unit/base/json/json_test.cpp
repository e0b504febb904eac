#include "base/json/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace postrider::base::json_test {
namespace {

std::string nested(std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
}

errc failure_of(std::string_view text, json_limits limits = {}) {
    auto parsed = parse_json(text, limits);
    EXPECT_FALSE(parsed.has_value()) << text;
    return parsed.has_error() ? parsed.error().code : errc::internal;
}

TEST(parse_json, nesting_is_bounded) {
    EXPECT_TRUE(parse_json(nested(64)).has_value());
    EXPECT_EQ(failure_of(nested(65)), errc::invalid);
    EXPECT_EQ(failure_of(nested(100'000)), errc::invalid);
    EXPECT_TRUE(parse_json(nested(3), {.depth = 3}).has_value());
    EXPECT_EQ(failure_of(nested(4), {.depth = 3}), errc::invalid);
}

TEST(parse_json, size_is_bounded) {
    EXPECT_TRUE(parse_json("[1,2]", {.bytes = 5}).has_value());
    EXPECT_EQ(failure_of("[1,23]", {.bytes = 5}), errc::too_large);
}

TEST(parse_json, text_must_be_utf8) {
    EXPECT_TRUE(parse_json("\"\xc3\xbc \xf0\x9f\x98\x80\"").has_value());
    for (auto text :
         {"\"\xff\"",
          "\"\xc3(\"",
          "\"\xc0\xaf\"",
          "\"\xed\xa0\x80\"",
          "\"\xf4\x90\x80\x80\"",
          "\"\xc3"})
        EXPECT_EQ(failure_of(text), errc::invalid);
}

TEST(parse_json, numbers_keep_64_bits) {
    EXPECT_EQ(parse_json("9223372036854775807")->as_int64(), INT64_MAX);
    EXPECT_EQ(parse_json("-9223372036854775808")->as_int64(), INT64_MIN);
    EXPECT_EQ(parse_json("18446744073709551615")->as_uint64(), UINT64_MAX);
    EXPECT_DOUBLE_EQ(parse_json("1.5e300")->as_double(), 1.5e300);
    EXPECT_DOUBLE_EQ(parse_json("18446744073709551616")->as_double(), 18446744073709551616.0);
}

TEST(parse_json, numbers_beyond_every_double_are_refused) {
    for (auto text : {"1e400", "-1e400", "[1e400]", R"({"a":[{"b":-1e999}]})"})
        EXPECT_EQ(failure_of(text), errc::invalid) << text;
    EXPECT_TRUE(parse_json("1e-999").has_value()) << "a tiny number is zero";
}

TEST(parse_json, the_last_of_duplicate_members_wins) {
    auto parsed = parse_json(R"({"a":1,"a":2})");
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(json_reader{*parsed}["a"].int64(), 2);
}

TEST(parse_json, what_is_not_json_is_invalid) {
    for (auto text :
         {"", " ", "{", "nul", "{'a':1}", "[1,]", "1 2", "NaN", "\xef\xbb\xbf{}", "//x\n1"})
        EXPECT_EQ(failure_of(text), errc::invalid) << text;
}

TEST(parse_json, an_error_does_not_quote_the_document) {
    auto parsed = parse_json(R"({"secret-text" oops})");
    ASSERT_FALSE(parsed.has_value());
    EXPECT_THAT(parsed.error().detail, testing::Not(testing::HasSubstr("secret-text")));
}

TEST(parse_json, an_error_tells_its_place) {
    EXPECT_EQ(
        parse_json("[1,\n {x}]").error().detail, "not valid JSON: syntax error (line 2, column 3)"
    );
    EXPECT_EQ(parse_json("[1] 2").error().detail, "not valid JSON: extra data (line 1, column 5)");
}

class reading : public testing::Test {
protected:
    json::value document = *parse_json(R"({
        "message": {"chat": {"id": -100}, "text": "hi", "date": 1.5, "big": 9223372036854775808},
        "flag": true, "nothing": null, "list": [{"n": 1}, {"n": 2}, {"m": 3}]
    })");
    json_reader root{document};
};

TEST_F(reading, values_by_path) {
    EXPECT_EQ(root["message"]["chat"]["id"].int64(), -100);
    EXPECT_EQ(root["message"]["text"].string(), "hi");
    EXPECT_DOUBLE_EQ(root["message"]["date"].number(), 1.5);
    EXPECT_DOUBLE_EQ(root["message"]["chat"]["id"].number(), -100.0);
    EXPECT_TRUE(root["flag"].boolean());
    EXPECT_EQ(root["list"].items().size(), 3u);
    EXPECT_TRUE(root["message"].is_object());
    EXPECT_TRUE(root["message"]["text"].is_string());
    EXPECT_FALSE(root.failed());
}

TEST_F(reading, a_missing_required_member_is_named_by_its_path) {
    EXPECT_EQ(root["message"]["from"]["id"].int64(), 0);
    ASSERT_TRUE(root.failed());
    EXPECT_EQ(to_string(root.failure()), "invalid: message.from.id is missing");
}

TEST_F(reading, null_counts_as_missing) {
    EXPECT_FALSE(root["nothing"]);
    EXPECT_EQ(root["nothing"].string(), "");
    EXPECT_EQ(to_string(root.failure()), "invalid: nothing is missing");
}

TEST_F(reading, a_mistyped_member_says_what_was_wanted) {
    struct {
        void (*read)(json_reader const&);
        char const* message;
    } const cases[] = {
        {[](auto& r) { (void)r["message"]["text"].int64(); }, "message.text is not an integer"},
        {[](auto& r) { (void)r["message"]["date"].int64(); }, "message.date is not an integer"},
        {[](auto& r) { (void)r["message"]["big"].int64(); }, "message.big is not an integer"},
        {[](auto& r) { (void)r["message"]["text"].number(); }, "message.text is not a number"},
        {[](auto& r) { (void)r["message"].string(); }, "message is not a string"},
        {[](auto& r) { (void)r["list"].boolean(); }, "list is not a boolean"},
        {[](auto& r) { (void)r["flag"].items(); }, "flag is not an array"},
        {[](auto& r) { (void)r["list"].items()[2]["n"].int64(); }, "list[2].n is missing"},
    };
    for (auto const& c : cases) {
        json_reader fresh{document};
        c.read(fresh);
        ASSERT_TRUE(fresh.failed()) << c.message;
        EXPECT_EQ(fresh.failure().detail, c.message);
        EXPECT_EQ(fresh.failure().code, errc::invalid);
    }
}

TEST_F(reading, the_first_failure_stays) {
    (void)root["one"].int64();
    (void)root["two"].int64();
    EXPECT_EQ(root.failure().detail, "one is missing");
}

TEST_F(reading, optional_values_fall_back_without_a_failure) {
    EXPECT_EQ(root["message"]["thread"].int64_or(7), 7);
    EXPECT_EQ(root["message"]["chat"]["id"].int64_or(7), -100);
    EXPECT_EQ(root["message"]["text"].int64_or(7), 7);
    EXPECT_EQ(root["message"]["text"].string_or("x"), "hi");
    EXPECT_EQ(root["nothing"].string_or("x"), "x");
    EXPECT_EQ(root["flag"].boolean_or(false), true);
    EXPECT_EQ(root["message"].boolean_or(true), true);
    EXPECT_EQ(root["message"]["date"].number_or(0), 1.5);
    EXPECT_EQ(root["flag"].number_or(2), 2);
    EXPECT_EQ(root["list"].items_or_none().size(), 3u);
    EXPECT_TRUE(root["message"].items_or_none().empty());
    EXPECT_TRUE(root["absent"].items_or_none().empty());
    EXPECT_FALSE(root.failed());
}

TEST(json_reader, a_document_that_is_not_an_object_has_no_members) {
    for (auto text : {"[1]", "1", "\"x\"", "null"}) {
        auto parsed = parse_json(text);
        ASSERT_TRUE(parsed.has_value());
        json_reader root{*parsed};
        EXPECT_FALSE(root["a"]["b"]);
        EXPECT_EQ(root["a"]["b"].string(), "");
        EXPECT_EQ(root.failure().detail, "a.b is missing") << text;
    }
}

// A public collection of hard documents, when it lies beside the source tree: y_ must parse, n_
// must not, i_ may do either.
TEST(parse_json, the_public_collection) {
    std::filesystem::path const folder = "../shared/data/json-parsing";
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << "the folder json-parsing is not beside the source tree";
    int seen = 0;
    for (auto const& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".json") continue;
        std::ifstream file(entry.path(), std::ios::binary);
        std::string const text{std::istreambuf_iterator<char>(file), {}};
        auto const name = entry.path().filename().string();
        auto const parsed = parse_json(text);
        if (!name.starts_with("i_")) {
            EXPECT_EQ(parsed.has_value(), name.starts_with("y_")) << name;
        }
        ++seen;
    }
    EXPECT_GT(seen, 200);
}

} // namespace
} // namespace postrider::base::json_test
