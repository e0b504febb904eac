#include "agent/mcp/pin.hpp"
#include "agent/mcp/tool.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::mcp::tool_test {
namespace {

using namespace std::chrono_literals;
using base::errc;
using testing::ElementsAre;

tool_definition read_tool(std::string_view text) {
    json::value const list{{"tools", {json::parse(text)}}};
    return read_tool_page(list).value().tools.at(0);
}

// What a model is offered first and after the job was parked is the same, byte for byte.
TEST(tool_page, is_as_the_record_gives_it_back) {
    auto const tool = read_tool(R"({"name": "a", "description": "x\u0000y", "inputSchema": {
        "type": "object", "properties": {
            "path": {"type": "string", "default": "\u0000"}, "a": {"items": [{"bb": 1, "c\u0000": 2}]}}}})"
    );

    std::string const replaced = "\xEF\xBF\xBD";
    EXPECT_EQ(tool.description, "x" + replaced + "y");
    EXPECT_EQ(
        json::serialize(tool.input_schema),
        R"({"type":"object","properties":{"a":{"items":[{"bb":1,"c)" + replaced +
            R"(":2}]},"path":{"type":"string","default":")" + replaced + R"("}}})"
    );
}

TEST(tool_page, keeps_what_can_be_used_and_says_why_not) {
    auto const page = read_tool_page(json::parse(R"({
        "tools": [
            {"name": "a", "inputSchema": {"type": "object"}, "extra": 1},
            {"name": "b c", "inputSchema": {"type": "object"}},
            {"name": "", "inputSchema": {"type": "object"}},
            {"name": "d", "inputSchema": {"type": "string"}},
            {"name": "e"},
            "f"
        ], "nextCursor": "x", "ttlMs": 5000, "cacheScope": "private"})"))
                          .value();

    ASSERT_EQ(page.tools.size(), 1u);
    EXPECT_EQ(page.tools[0].name, "a");
    EXPECT_EQ(page.dropped.size(), 5u);
    EXPECT_EQ(page.next_cursor, "x");
    EXPECT_EQ(page.fresh_for, 5s);
    EXPECT_EQ(read_tool_page(json::parse(R"({"tools": 5})")).error().code, errc::invalid);
    EXPECT_EQ(read_tool_page(json::value()).error().code, errc::invalid);
}

TEST(tool_page, keeps_a_tool_whose_type_may_be_an_object) {
    for (auto const* type : {"null", "\"any\"", "5", "[]", "[\"null\",\"object\"]", "[\"dict\"]"}) {
        auto const page = read_tool_page(json::parse(
            R"({"tools": [{"name": "a", "inputSchema": {"type": )" + std::string(type) + "}}]}"
        ));
        ASSERT_EQ(page.value().tools.size(), 1u) << type;
        EXPECT_EQ(page->tools[0].input_schema, (json::object{{"type", "object"}})) << type;
    }
    auto const others = read_tool_page(
        json::parse(R"({"tools": [{"name": "a", "inputSchema": {"type": ["string", "null"]}}]})")
    );
    EXPECT_EQ(others.value().dropped.size(), 1u);
}

TEST(tool_page, takes_missing_hints_for_the_protocols_defaults) {
    auto const silent = read_tool(R"({"name":"a","inputSchema":{"type":"object"}})");
    auto const told = read_tool(R"({"name":"a","inputSchema":{"type":"object"},"annotations":
        {"title":"A","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}})"
    );

    EXPECT_EQ(silent.annotations, (tool_annotations{false, true, false, true}));
    EXPECT_EQ(told.annotations, (tool_annotations{true, false, true, false}));
    EXPECT_EQ(told.title, "A");
}

TEST(tool_result, holds_every_kind_of_content) {
    auto const result = read_tool_result(json::parse(R"({"content": [
        {"type": "text", "text": "t"},
        {"type": "image", "data": "aQ==", "mimeType": "image/png"},
        {"type": "audio", "data": "YQ==", "mimeType": "audio/wav"},
        {"type": "resource_link", "uri": "file:///a", "name": "a"},
        {"type": "resource", "resource": {"uri": "file:///b", "text": "b"}},
        {"type": "resource", "resource": {"uri": "file:///c", "blob": "Yw=="}},
        {"type": "hologram"}
    ], "structuredContent": {"n": 1}, "isError": false})"))
                            .value();

    ASSERT_EQ(result.content.size(), 7u);
    EXPECT_EQ(std::get<text_content>(result.content[0]).text, "t");
    EXPECT_EQ(std::get<image_content>(result.content[1]).media_type, "image/png");
    EXPECT_EQ(std::get<audio_content>(result.content[2]).base64, "YQ==");
    EXPECT_EQ(std::get<resource_link>(result.content[3]).uri, "file:///a");
    EXPECT_EQ(std::get<embedded_resource>(result.content[4]).text, "b");
    EXPECT_EQ(std::get<embedded_resource>(result.content[5]).base64, "Yw==");
    EXPECT_EQ(std::get<unknown_content>(result.content[6]).type, "hologram");
    EXPECT_EQ(result.structured->at("n"), 1);
    EXPECT_FALSE(result.is_error);
}

TEST(tool_result, passes_over_parts_that_are_null) {
    auto const result =
        read_tool_result(
            json::parse(R"({"content": [null, {"type": "image", "data": null}, "words"]})")
        )
            .value();

    ASSERT_EQ(result.content.size(), 2u);
    EXPECT_EQ(std::get<image_content>(result.content[0]).base64, "");
    EXPECT_EQ(std::get<text_content>(result.content[1]).text, "words");
}

TEST(tool_result, of_a_tool_that_failed_is_a_result) {
    auto const result =
        read_tool_result(
            json::parse(R"({"content": [{"type": "text", "text": "no"}], "isError": true})")
        )
            .value();

    EXPECT_TRUE(result.is_error);
}

TEST(tool_result, that_is_none_is_told) {
    EXPECT_EQ(read_tool_result(json::parse("[]")).error().code, errc::invalid);
    EXPECT_EQ(read_tool_result(json::parse("{}")).error().code, errc::invalid);
    EXPECT_EQ(
        read_tool_result(json::parse(R"({"resultType": "input_required"})")).error().code,
        errc::refused
    );
    EXPECT_EQ(
        read_tool_result(json::parse(R"({"resultType": "new", "content": []})")).error().code,
        errc::invalid
    );
    EXPECT_TRUE(read_tool_result(json::parse(R"({"resultType": "complete", "content": []})")));
}

constexpr std::string_view pinned =
    R"({"name":"a","description":"d","inputSchema":{"type":"object","properties":{"x":{"type":"string"},"y":{}}}})";

TEST(pin, is_the_same_however_members_are_ordered) {
    auto const reordered = read_tool(
        R"({"inputSchema":{"properties":{"y":{},"x":{"type":"string"}},"type":"object"},"description":"d","name":"a"})"
    );

    EXPECT_EQ(digest(read_tool(pinned)), digest(reordered));
    EXPECT_EQ(digest(reordered).size(), 64u);
}

TEST(pin, changes_with_all_that_a_model_or_a_decision_sees) {
    auto const before = digest(read_tool(pinned));
    for (auto const* other : {
             R"({"name":"a","description":"D","inputSchema":{"type":"object","properties":{"x":{"type":"string"},"y":{}}}})",
             R"({"name":"a","title":"t","description":"d","inputSchema":{"type":"object","properties":{"x":{"type":"string"},"y":{}}}})",
             R"({"name":"a","description":"d","inputSchema":{"type":"object","properties":{"x":{"type":"number"},"y":{}}}})",
             R"({"name":"a","description":"d","inputSchema":{"type":"object","properties":{"x":{"type":"string"},"y":{}}},"outputSchema":{}})",
             R"({"name":"a","description":"d","inputSchema":{"type":"object","properties":{"x":{"type":"string"},"y":{}}},"annotations":{"readOnlyHint":true}})",
         })
        EXPECT_NE(digest(read_tool(other)), before) << other;
}

TEST(pin, lists_keep_their_order) {
    auto const one_way =
        read_tool(R"({"name":"a","inputSchema":{"type":"object","required":["x","y"]}})");
    auto const other_way =
        read_tool(R"({"name":"a","inputSchema":{"type":"object","required":["y","x"]}})");

    EXPECT_NE(digest(one_way), digest(other_way));
}

TEST(pin, tells_what_became_of_a_list) {
    auto tool = [](std::string name, std::string description) {
        tool_definition definition;
        definition.name = std::move(name);
        definition.description = std::move(description);
        return definition;
    };
    auto const pins = pins_of({tool("same", "x"), tool("other", "x"), tool("lost", "x")});

    EXPECT_THAT(
        compare({tool("other", "y"), tool("more", "x"), tool("same", "x")}, pins),
        ElementsAre(
            pin_comparison{"other", pin_state::changed},
            pin_comparison{"more", pin_state::fresh},
            pin_comparison{"same", pin_state::unchanged},
            pin_comparison{"lost", pin_state::gone}
        )
    );
}

} // namespace
} // namespace postrider::agent::mcp::tool_test
