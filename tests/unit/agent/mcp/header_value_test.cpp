#include "agent/mcp/header_value.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::mcp::header_value_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(header_value, is_plain_where_it_can_be) {
    EXPECT_EQ(encode_header_value("get weather/v1"), "get weather/v1");
    EXPECT_EQ(encode_header_value("ä"), "=?base64?w6Q=?=");
    EXPECT_EQ(encode_header_value("a\r\nX: y"), "=?base64?YQ0KWDogeQ==?=");
}

TEST(header_value, reads_back_what_it_wrote) {
    for (std::string_view const text : {"", "a", " a", "a ", "ä\n", "=?base64?x?=", "=?base64?"})
        EXPECT_EQ(decode_header_value(encode_header_value(text)), text);
    EXPECT_FALSE(decode_header_value("=?base64?***?="));
    EXPECT_FALSE(decode_header_value("=?base64?w6Q="));
}

json::object schema(std::string_view properties) {
    return json::parse(R"({"type":"object","properties":)" + std::string(properties) + "}")
        .as_object();
}

TEST(header_marks, repeat_the_marked_arguments) {
    auto const marks = read_header_marks(schema(
                                             R"({"region":{"type":"string","x-mcp-header":"Region"},
                                  "options":{"type":"object","properties":{
                                      "limit":{"type":"integer","x-mcp-header":"Limit"},
                                      "dry":{"type":"boolean","x-mcp-header":"Dry"}}},
                                  "query":{"type":"string"}})"
                                         ))
                           .value();

    EXPECT_THAT(
        header_fields(
            marks,
            {{"region", "München"},
             {"options", {{"limit", 5}, {"dry", false}}},
             {"query", "secret"}}
        ),
        ElementsAre(
            Pair("Mcp-Param-Region", "=?base64?TcO8bmNoZW4=?="),
            Pair("Mcp-Param-Limit", "5"),
            Pair("Mcp-Param-Dry", "false")
        )
    );
    EXPECT_THAT(header_fields(marks, {{"region", nullptr}, {"options", 5}}), ElementsAre());
    EXPECT_THAT(read_header_marks(schema(R"({"a":{"x-mcp-header":null}})")).value(), IsEmpty());
}

TEST(header_marks, that_are_wrong_are_refused) {
    for (auto const* properties : {
             R"({"a":{"type":"string","x-mcp-header":""}})",
             R"({"a":{"type":"string","x-mcp-header":"A B"}})",
             R"({"a":{"type":"string","x-mcp-header":"A\r\nB"}})",
             R"({"a":{"type":"string","x-mcp-header":5}})",
             R"({"a":{"type":"number","x-mcp-header":"A"}})",
             R"({"a":{"type":"object","x-mcp-header":"A"}})",
             R"({"a":{"x-mcp-header":"A"}})",
             R"({"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}})",
         })
        EXPECT_FALSE(read_header_marks(schema(properties))) << properties;
}

} // namespace
} // namespace postrider::agent::mcp::header_value_test
