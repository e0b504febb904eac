// What check() says about values that do not fit: where, by which keyword, in which words.
#include "agent/json_schema/json_schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::json_schema::check_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<violation> check(
    std::string_view schema, std::string_view value, compile_options const& options = {}
) {
    return compile(base::parse_json(schema).value(), options)
        .value()
        .check(base::parse_json(value).value());
}

// "/a must be …", one for each violation.
std::string misfits(std::string_view schema, std::string_view value) {
    return to_text(check(schema, value), "it");
}

// covers: S3.15
TEST(check, names_the_place_the_keyword_and_the_rule) {
    auto const found = check(
        R"({"properties": {"stops": {"items": {"$ref": "#/$defs/stop"}}},
            "$defs": {"stop": {"properties": {"a/b~c": {"type": "integer"}}}}})",
        R"({"stops": [{}, {"a/b~c": "7"}]})"
    );

    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].path, "/stops/1/a~1b~0c");
    EXPECT_EQ(found[0].keyword, "/$defs/stop/properties/a~1b~0c/type");
    EXPECT_EQ(found[0].code, "type");
    EXPECT_EQ(found[0].message, "must be an integer, not a string");
}

TEST(check, tells_every_rule_that_is_broken) {
    EXPECT_EQ(
        misfits(
            R"({"required": ["a", "b"], "properties": {"c": {"minimum": 3, "multipleOf": 2}}})",
            R"({"c": 1, "b": null})"
        ),
        "it must have the member \"a\"\n"
        "/c must be at least 3, not 1\n"
        "/c must be a multiple of 2, not 1"
    );
}

struct example {
    std::string_view schema;
    std::string_view value;
    std::string_view misfits;
};

void PrintTo(example const& shown, std::ostream* out) {
    *out << shown.schema << " for " << shown.value;
}

class messages : public testing::TestWithParam<example> {};

TEST_P(messages, tell_what_is_wanted_instead) {
    EXPECT_EQ(misfits(GetParam().schema, GetParam().value), GetParam().misfits);
}

INSTANTIATE_TEST_SUITE_P(
    of_values,
    messages,
    testing::Values(
        example{"false", "1", "it must not be there"},
        example{R"({"type": "integer"})", "1.5", "it must be an integer, not a fraction"},
        example{
            R"({"type": ["array", "null"]})", "{}", "it must be an array or null, not an object"},
        example{R"({"enum": ["a", 1, {}]})", "2", "it must be one of \"a\", 1, an object"},
        example{R"({"const": 0.5})", "2", "it must be 0.5"},
        example{R"({"maximum": 1})", "1.25", "it must be at most 1, not 1.25"},
        example{R"({"exclusiveMinimum": 0})", "0", "it must be more than 0, not 0"},
        example{R"({"exclusiveMaximum": 0})", "0", "it must be less than 0, not 0"},
        example{R"({"maxLength": 1})", "\"äö\"", "it must have at most 1 character, not 2"},
        example{R"({"minLength": 2})", "\"🐲\"", "it must have at least 2 characters, not 1"},
        example{R"({"pattern": "^a+$"})", "\"b\"", "it must match the pattern ^a+$"}
    )
);

INSTANTIATE_TEST_SUITE_P(
    of_arrays,
    messages,
    testing::Values(
        example{R"({"minItems": 1})", "[]", "it must have at least 1 item, not 0"},
        example{R"({"maxItems": 1})", "[1,2]", "it must have at most 1 item, not 2"},
        example{
            R"({"prefixItems": [true], "items": false})",
            "[1,2]",
            "it must have at most 1 item, not 2"},
        example{
            R"({"uniqueItems": true})",
            "[1,2,1.0]",
            "it must not have an item twice: items 0 and 2 are the same"},
        example{
            R"({"contains": {"const": 1}})", "[2]", "it must have an item that fits \"contains\""},
        example{
            R"({"contains": {"const": 1}, "maxContains": 1})",
            "[1,1]",
            "it must have at most 1 item that fits \"contains\", not 2"},
        example{
            R"({"prefixItems": [true], "unevaluatedItems": false})",
            "[1,2]",
            "/1 is not described by the schema"}
    )
);

INSTANTIATE_TEST_SUITE_P(
    of_objects,
    messages,
    testing::Values(
        example{R"({"maxProperties": 0})", R"({"a": 1})", "it must have at most 0 members, not 1"},
        example{
            R"({"properties": {"a": {}, "b": {}}, "additionalProperties": false})",
            R"({"c": 1})",
            "/c is not a known member; known are: \"a\", \"b\""},
        example{
            R"({"propertyNames": {"pattern": "^[a-z]+$"}})",
            R"({"X": 1})",
            "/X has a name that is not allowed: it must match the pattern ^[a-z]+$"},
        example{
            R"({"dependentRequired": {"a": ["b"]}})",
            R"({"a": 1})",
            "it must have the member \"b\", which \"a\" needs"},
        example{
            R"({"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false})",
            R"({"a": 1, "b": 2})",
            "/b is not described by the schema"}
    )
);

// Two kinds of node, told apart by a member.
constexpr auto nodes = R"({"oneOf": [
    {"properties": {"kind": {"const": "agent"}, "turns": {"type": "integer"}}, "required": ["kind"]},
    {"properties": {"kind": {"const": "tool"}, "name": {"type": "string"}}, "required": ["kind", "name"]}
]})";

INSTANTIATE_TEST_SUITE_P(
    of_alternatives,
    messages,
    testing::Values(
        example{
            nodes,
            R"({"kind": "tool", "name": 1})",
            "it must fit exactly one of 2 alternatives, comes closest to number 2\n"
            "/name must be a string, not a number"},
        example{
            R"({"properties": {"n": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}})",
            R"({"n": "1"})",
            "/n must fit one of 2 alternatives: must be an integer, not a string; "
            "or must be null, not a string"},
        example{
            nodes,
            R"({"kind": "model"})",
            "it must fit exactly one of 2 alternatives: \"/kind\" must be \"agent\"; "
            "or must have the member \"name\""},
        example{
            R"({"oneOf": [{"minimum": 1}, {"type": "string"}, {"minimum": 2}]})",
            "3",
            "it must fit exactly one of 3 alternatives, but fits number 1 and number 3"},
        example{R"({"not": {"type": "null"}})", "null", "it must not fit the schema of \"not\""},
        example{
            R"({"if": {"required": ["a"]}, "then": {"required": ["b"]}})",
            R"({"a": 1})",
            "it must have the member \"b\""}
    )
);

TEST(check, asserts_formats_only_when_told) {
    constexpr auto schema = R"({"format": "date"})";
    EXPECT_THAT(check(schema, "\"tomorrow\""), IsEmpty());
    auto const found = check(schema, "\"tomorrow\"", {.assert_formats = true});
    EXPECT_EQ(to_text(found, "it"), "it must be a date like 2024-12-31");
}

TEST(check, reads_the_older_spellings) {
    constexpr auto list = R"({"items": [{"type": "string"}], "additionalItems": false})";
    EXPECT_EQ(misfits(list, "[1]"), "/0 must be a string, not a number");
    EXPECT_EQ(misfits(list, R"(["a", 1])"), "it must have at most 1 item, not 2");
    EXPECT_EQ(
        misfits(R"({"dependencies": {"a": ["b"], "c": {"minProperties": 2}}})", R"({"a": 1})"),
        "it must have the member \"b\", which \"a\" needs"
    );
    // In draft 7 nothing beside a reference counts.
    constexpr auto beside =
        R"({"definitions": {"any": true}, "$ref": "#/definitions/any", "type": "null",
        "$schema": "http://json-schema.org/draft-07/schema#"})";
    EXPECT_EQ(misfits(beside, "1"), "");
}

TEST(check, finds_the_schema_within_a_larger_document) {
    auto const document = base::parse_json(R"({"components": {"schemas": {
        "jobs": {"items": {"$ref": "#/components/schemas/job"}},
        "job": {"type": "object"}}}})");
    auto const jobs = compile(*document, {.at = "/components/schemas/jobs"}).value();
    auto const found = jobs.check(base::parse_json("[{}, 1]").value());
    EXPECT_EQ(to_text(found, "it"), "/1 must be an object, not a number");
    EXPECT_EQ(found.at(0).keyword, "/components/schemas/job/type");
}

TEST(check, needs_the_document_no_more) {
    auto document = base::parse_json(R"({"$defs": {"a": {"enum": ["one"]}}, "$ref": "#/$defs/a"})");
    auto const compiled = compile(*document).value();
    *document = nullptr;
    auto const copy = compiled;
    EXPECT_THAT(copy.check("one"), IsEmpty());
    EXPECT_THAT(copy.check("two"), ElementsAre(testing::Field(&violation::code, "enum")));
}

} // namespace
} // namespace postrider::agent::json_schema::check_test
