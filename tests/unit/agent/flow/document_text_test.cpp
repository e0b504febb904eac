#include "agent/flow/document/document_text.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace postrider::agent::flow::document_text_test {
namespace {

std::string printed(std::string_view text) {
    return document_text(boost::json::parse(text));
}

TEST(document_text, keeps_the_order_of_members) {
    EXPECT_EQ(printed(R"({"z":1,"a":{"y":null,"b":true}})"), R"({
  "z": 1,
  "a": {"y": null, "b": true}
}
)");
}

TEST(document_text, puts_on_one_line_what_fits_and_holds_no_container) {
    EXPECT_EQ(printed("[]"), "[]\n");
    EXPECT_EQ(printed("{}"), "{}\n");
    EXPECT_EQ(printed("[1, [], {}]"), "[1, [], {}]\n");
    EXPECT_EQ(printed("[[1],[2]]"), "[\n  [1],\n  [2]\n]\n");
    auto const long_text = std::string(60, 'x');
    EXPECT_EQ(
        printed("[\"" + long_text + "\",\"" + long_text + "\"]"),
        "[\n  \"" + long_text + "\",\n  \"" + long_text + "\"\n]\n"
    );
}

TEST(document_text, writes_numbers_as_people_do_and_keeps_their_kind) {
    for (auto const* text :
         {"1", "-7", "120.5", "2.0", "-0.0", "0.1", "1e+300", "5e-324", "18446744073709551615"}) {
        EXPECT_EQ(printed(text), std::string(text) + "\n");
        EXPECT_EQ(boost::json::parse(printed(text)).kind(), boost::json::parse(text).kind())
            << text;
    }
}

TEST(document_text, reads_as_the_value_that_it_was_made_from) {
    auto const value = boost::json::parse(
        R"([{"a\"\\\u0000\n":["ä",{"deep":[[[1.5,{"x":[]}]]]}]},"\u2028",{"":{}}])"
    );

    EXPECT_EQ(boost::json::parse(document_text(value)), value);
    EXPECT_EQ(printed(document_text(value)), document_text(value));
}

} // namespace
} // namespace postrider::agent::flow::document_text_test
