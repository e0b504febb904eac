#include "agent/formats/xml.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::formats::xml_test {
namespace {

using testing::HasSubstr;

std::string as_json(std::string_view xml, std::vector<std::string> lists = {}) {
    auto const document = xml_to_json(xml, lists);
    return document ? base::json_text(*document) : to_string(document.error());
}

TEST(xml, becomes_json) {
    EXPECT_EQ(
        as_json("<?xml version='1.0'?><!-- note --><order id='7'><item>Tea</item>"
                "<item>Cake &amp; jam</item><note><![CDATA[<b>]]></note><none/></order>"),
        R"({"order":{"@id":"7","item":["Tea","Cake & jam"],"note":"<b>","none":""}})"
    );
    EXPECT_EQ(
        as_json("<p x='1'>one <b>two</b> three</p>"),
        R"({"p":{"@x":"1","b":"two","#text":"one  three"}})"
    );
    EXPECT_EQ(as_json("<a>\n  <b>1</b>\n</a>"), R"({"a":{"b":"1"}})");
    EXPECT_EQ(as_json("<a xmlns:d='u'><d:c/></a>"), R"({"a":{"@xmlns:d":"u","d:c":""}})");
}

TEST(xml, has_arrays_where_they_are_asked_for) {
    EXPECT_EQ(as_json("<a><b>1</b></a>", {"b"}), R"({"a":{"b":["1"]}})");
}

TEST(xml, is_utf8_whatever_its_declaration_says) {
    EXPECT_EQ(
        as_json("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xC3\xA9</a>"),
        "{\"a\":\"\xC3\xA9\"}"
    );
}

TEST(xml, refuses_what_it_does_not_read) {
    EXPECT_THAT(as_json("<a>\n<b></a>"), HasSubstr("line 2 is no well-formed XML"));
    EXPECT_THAT(as_json(""), HasSubstr("no well-formed XML"));
    EXPECT_THAT(as_json("<a>&nbsp;</a>"), HasSubstr("no well-formed XML"));
    EXPECT_THAT(
        as_json("<?xml version='1.0'?><!-- <a> -->\n<!DOCTYPE a [<!ENTITY x SYSTEM "
                "'file:///etc/passwd'>]><a>&x;</a>"),
        HasSubstr("DOCTYPE")
    );
    // This comment ends at the second mark.
    EXPECT_THAT(
        as_json("<!--><a> -->\n<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>"), HasSubstr("DOCTYPE")
    );
    EXPECT_EQ(as_json("<!--<!DOCTYPE a>--><a>1</a>"), R"({"a":"1"})");
    EXPECT_EQ(as_json("<a><![CDATA[<!DOCTYPE html>]]></a>"), R"({"a":"<!DOCTYPE html>"})");
}

TEST(xml, is_bounded) {
    std::string deep;
    for (std::size_t i = 0; i <= most_xml_levels; ++i) deep += "<a>";
    EXPECT_THAT(as_json(deep), HasSubstr("too_large"));
    std::string wide = "<a>";
    for (std::size_t i = 0; i <= most_xml_nodes; ++i) wide += "<b/>";
    EXPECT_THAT(as_json(wide), HasSubstr("too_large"));
    EXPECT_THAT(as_json(std::string(most_xml_bytes + 1, ' ')), HasSubstr("too_large"));
}

TEST(xml, has_so_many_attributes_of_an_element) {
    auto const with_attributes = [](std::size_t count) {
        std::string text = "<a><b c='>'";
        for (std::size_t i = 1; i < count; ++i) text += " d" + std::to_string(i) + "=\"\"";
        return as_json(text + "/></a>");
    };
    EXPECT_THAT(with_attributes(most_xml_attributes), HasSubstr("\"@c\":\">\""));
    EXPECT_THAT(with_attributes(most_xml_attributes + 1), HasSubstr("256 attributes"));
}

std::string as_xml(std::string_view text) {
    auto const written = json_to_xml(base::parse_json(text).value());
    return written ? *written : to_string(written.error());
}

TEST(xml, is_written_from_json) {
    EXPECT_EQ(
        as_xml(R"({"order":{"@id":7,"item":["Tea","a < b & \"c\""],"none":null,"#text":"x"}})"),
        "<order id=\"7\"><item>Tea</item><item>a &lt; b &amp; &quot;c&quot;</item><none/>x</order>"
    );
    EXPECT_EQ(as_xml(R"({"a":{"b":46,"c":true}})"), "<a><b>46</b><c>true</c></a>");
}

TEST(xml, does_not_write_what_is_no_xml) {
    EXPECT_THAT(as_xml("{}"), HasSubstr("one member"));
    EXPECT_THAT(as_xml(R"({"a":1,"b":2})"), HasSubstr("one member"));
    EXPECT_THAT(as_xml(R"({"a b":1})"), HasSubstr("no name of an element"));
    EXPECT_THAT(as_xml(R"({"a":{"@x y":1}})"), HasSubstr("no attribute"));
    EXPECT_THAT(as_xml(R"({"a":{"b":[[1]]}})"), HasSubstr("a list in a list"));
    EXPECT_THAT(as_xml(R"({"a":"\u0001"})"), HasSubstr("control characters"));
}

} // namespace
} // namespace postrider::agent::formats::xml_test
