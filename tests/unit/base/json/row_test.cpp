#include "base/json/json.hpp"
#include "base/json/row.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace postrider::base::row_test {
namespace {

namespace json = boost::json;

TEST(json_row, is_an_object_of_its_members) {
    EXPECT_EQ(json_row().text(), "{}");
    json_row row{{"id", 7}, {"flag", true}, {"text", "a \"b\" \\ \n\x1f größer"}};
    row.add({"least", std::numeric_limits<std::int64_t>::min()});
    row.add({"name", std::string("x")});
    EXPECT_EQ(
        std::move(row).text(),
        R"({"id":7,"flag":true,"text":"a \"b\" \\ \n\u001f größer","least":-9223372036854775808,"name":"x"})"
    );
}

TEST(json_row, writes_values_so_that_they_read_back) {
    for (std::string_view text : {
             R"({"a":[],"b":{},"c":[1,[2,{"d":null}]],"e":{"f":{"g":"\u0001\"\\/"}}})",
             R"([1.5,1e300,18446744073709551615,-3,true,false,null,"","größer 🤖"])",
             R"("text")",
             "null",
         }) {
        json::value const value = parse_json(text).value();
        auto const row = json_row{{"value", value}}.text();
        EXPECT_EQ(parse_json(row).value().at("value"), value) << row;
    }
}

TEST(json_row, has_nothing_that_jsonb_refuses) {
    json::string const nul("a\0b", 3);
    json::value const value = json::object{{nul, json::array{json::value(nul)}}};
    EXPECT_EQ(
        (json_row{{"text", std::string_view(nul)}, {"value", value}}.text()),
        "{\"text\":\"a\xEF\xBF\xBD"
        "b\",\"value\":{\"a\xEF\xBF\xBD"
        "b\":[\"a\xEF\xBF\xBD"
        "b\"]}}"
    );
}

} // namespace
} // namespace postrider::base::row_test
