#include "server/telegram/json_scanner.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace postrider::telegram::json_scanner_test {
namespace {

using token = json_scanner::token;

token outcome(std::string_view text) {
    json_scanner scanner(text);
    for (;;) {
        auto const symbol = scanner.next();
        if (symbol == token::end || symbol == token::cut_off || symbol == token::malformed)
            return symbol;
    }
}

TEST(json_scanner, tells_json_from_what_is_none) {
    for (auto const* text :
         {"0",
          "-1.5e+3",
          "\"\"",
          "[]",
          "{}",
          " [1 , {\"a\":null}] ",
          "true",
          R"({"a":{"b":[[],{}]},"c":"\u00e9\n\/"})"})
        EXPECT_EQ(outcome(text), token::end) << text;
    for (auto const* text :
         {"01",
          "+1",
          ".5",
          "1 2",
          "[1,]",
          "{,}",
          "{\"a\":1,}",
          "{1:2}",
          "]",
          "[}",
          "{\"a\" 1}",
          "nul1",
          "\"\\x\"",
          "\"\t\"",
          "'a'",
          "[1}",
          "-x"})
        EXPECT_EQ(outcome(text), token::malformed) << text;
    for (auto const* text :
         {"", "[", "{\"a", "{\"a\"", "{\"a\":", "\"\\u00", "tru", "-", "1e", "[1,"})
        EXPECT_EQ(outcome(text), token::cut_off) << text;
}

TEST(json_scanner, a_million_levels_need_no_stack) {
    std::string text(1'000'000, '[');
    EXPECT_EQ(outcome(text), token::cut_off);
    text.append(1'000'000, ']');
    EXPECT_EQ(outcome(text), token::end);
}

TEST(json_scanner, once_over_it_stays_over) {
    json_scanner scanner("1 2");
    EXPECT_EQ(scanner.next(), token::number);
    EXPECT_EQ(scanner.next(), token::malformed);
    EXPECT_EQ(scanner.next(), token::malformed);
}

// A public collection of hard documents, when it lies beside the source tree.
TEST(json_scanner, the_public_collection) {
    std::filesystem::path const folder = "../shared/data/json-parsing";
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << "the folder json-parsing is not beside the source tree";
    for (auto const& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".json") continue;
        std::ifstream file(entry.path(), std::ios::binary);
        std::string const text{std::istreambuf_iterator<char>(file), {}};
        auto const name = entry.path().filename().string();
        bool const json = outcome(text) == token::end;
        if (!name.starts_with("i_")) {
            EXPECT_EQ(json, name.starts_with("y_")) << name;
        }
    }
}

struct outlined {
    std::string_view body;
    bool json;
    std::optional<std::int64_t> id;
};

TEST(outline_update, finds_the_id_of_the_object_itself) {
    outlined const table[]{
        {R"({"update_id":7})", true, 7},
        {R"({"message":{"update_id":1},"update_id":-9223372036854775808})", true, INT64_MIN},
        {R"({"update_id":7,"update_id":8})", true, 8},
        {R"({"update_id":"7"})", true, {}},
        {R"({"update_id":7.0})", true, {}},
        {R"({"update_id":9223372036854775808})", true, {}},
        {R"({"update_id":[7]})", true, {}},
        {R"({"update_id":{"x":7},"b":8})", true, {}},
        {R"({})", true, {}},
        {R"([{"update_id":7}])", false, {}},
        {R"({"update_id":7)", false, 7},
        {R"(7)", false, {}},
        {"", false, {}},
    };
    for (auto const& row : table) {
        auto const found = outline_update(row.body);
        EXPECT_EQ(found.json, row.json) << row.body;
        EXPECT_EQ(found.update_id, row.id) << row.body;
    }
}

TEST(outline_update, reads_the_beginning_of_a_body) {
    outlined const table[]{
        {R"({"update_id":731204511,"message":{"text":"aaa)", true, 731204511},
        {R"({"message":{"text":"a"},"update_id":12,)", true, 12},
        {R"({"update_id":73)", true, {}}, // the number may go on
        {R"({"message":{"text":"aaaaaaaa)", true, {}},
        {R"({"update_id":7,!)", false, 7},
    };
    for (auto const& row : table) {
        auto const found = outline_update(row.body, true);
        EXPECT_EQ(found.json, row.json) << row.body;
        EXPECT_EQ(found.update_id, row.id) << row.body;
    }
}

TEST(array_elements, cuts_out_each_element_as_it_stands) {
    auto const found = array_elements(
        R"({"ok":true,"a":[0],"result":[ {"x":[1,{}]} ,2, "é,]" , [], null ],"z":1})", "result"
    );

    ASSERT_TRUE(found);
    std::vector<std::string_view> const wanted{R"({"x":[1,{}]})", "2", R"("é,]")", "[]", "null"};
    EXPECT_EQ(*found, wanted);
}

TEST(array_elements, nothing_without_such_an_array) {
    EXPECT_FALSE(array_elements(R"({"result":{"a":[1]}})", "result"));
    EXPECT_FALSE(array_elements(R"({"a":{"result":[1]}})", "result"));
    EXPECT_FALSE(array_elements(R"([1])", "result"));
    EXPECT_FALSE(array_elements(R"({"result":[1])", "result"));
    EXPECT_EQ(array_elements(R"({"result":[]})", "result")->size(), 0u);
}

} // namespace
} // namespace postrider::telegram::json_scanner_test
