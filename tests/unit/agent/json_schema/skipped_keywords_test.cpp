// Foreign schemas whose keywords cannot all be used: what is skipped, and what holds all the same.
#include "agent/json_schema/json_schema.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::json_schema::skipped_keywords_test {
namespace {

struct skipping {
    std::string_view schema;
    std::string_view skipped;
    std::string_view value;
    std::string_view misfits; // "" = it fits
};

void PrintTo(skipping const& shown, std::ostream* out) {
    *out << shown.schema << " for " << shown.value;
}

class skipped_keywords : public testing::TestWithParam<skipping> {};

TEST_P(skipped_keywords, are_named_and_the_rest_holds) {
    auto const document = base::parse_json(GetParam().schema).value();
    auto const lenient = compile(document, {.skips_unusable = true}).value();
    auto const found = lenient.check(base::parse_json(GetParam().value).value());

    EXPECT_EQ(to_text(lenient.skipped()), GetParam().skipped);
    EXPECT_EQ(to_text(found, "it"), GetParam().misfits);
}

INSTANTIATE_TEST_SUITE_P(
    null,
    skipped_keywords,
    testing::Values(
        skipping{
            R"({"required": null, "properties": null, "additionalProperties": null, "items": null,
                "enum": null, "format": null, "minLength": null, "type": null, "$ref": null,
                "anyOf": null, "not": null, "$id": null})",
            "",
            R"({"a": 1})",
            ""},
        skipping{
            R"({"prefixItems": null, "items": {"type": "null"}, "minContains": null,
                "contains": {"type": "null"}})",
            "",
            "[]",
            "it must have an item that fits \"contains\""},
        skipping{
            R"({"properties": null, "additionalProperties": false})",
            "",
            R"({"a": 1})",
            "/a is not a known member; known are: "},
        skipping{
            R"({"$schema": "http://json-schema.org/draft-07/schema#", "$ref": null,
                "type": "object"})",
            "",
            "1",
            "it must be an object, not a number"},
        skipping{R"({"const": null})", "", "1", "it must be null"}
    )
);

INSTANTIATE_TEST_SUITE_P(
    unusable,
    skipped_keywords,
    testing::Values(
        skipping{
            R"({"minimum": 0, "exclusiveMinimum": true})",
            "/exclusiveMinimum: must be a number",
            "-1",
            "it must be at least 0, not -1"},
        skipping{
            R"({"properties": {"a": {"type": "string", "required": true}}})",
            "/properties/a/required: must be an array",
            R"({"a": 1})",
            "/a must be a string, not a number"},
        skipping{
            R"({"type": "any", "minLength": "1", "maxLength": 1, "anyOf": []})",
            "/type: \"any\" is no type\n/minLength: must be a whole number from 0 on\n"
            "/anyOf: must not be empty",
            "\"ab\"",
            "it must have at most 1 character, not 2"},
        skipping{
            R"json({"pattern": "^(?!x)", "minLength": 2})json",
            "/pattern: is no regular expression that RE2 knows: invalid perl operator: (?!",
            "\"x\"",
            "it must have at least 2 characters, not 1"},
        skipping{R"({"enum": []})", "/enum: must not be empty", "1", ""},
        skipping{
            R"({"contains": 5, "$anchor": 5, "uniqueItems": "true"})",
            "/$anchor: must be a string\n/uniqueItems: must be true or false\n"
            "/contains: must be a schema: an object, true or false",
            "[]",
            ""},
        skipping{
            R"({"properties": {"a": null, "b": "text"}, "additionalProperties": false})",
            "/properties/a: must be a schema: an object, true or false\n"
            "/properties/b: must be a schema: an object, true or false",
            R"({"a": 1, "b": 2, "c": 3})",
            "/c is not a known member; known are: \"a\", \"b\""},
        skipping{
            R"({"properties": ["a"], "additionalProperties": false})",
            "/properties: must be an object",
            R"({"a": 1})",
            ""},
        skipping{
            R"json({"patternProperties": {"(?=y)": {"type": "null"}, "^n": {"type": "integer"}},
                "additionalProperties": false, "minProperties": 3})json",
            "/patternProperties/(?=y): is no regular expression that RE2 knows: "
            "invalid perl operator: (?=",
            R"({"n": "x", "y": 1})",
            "it must have at least 3 members, not 2\n/n must be an integer, not a string"}
    )
);

INSTANTIATE_TEST_SUITE_P(
    references,
    skipped_keywords,
    testing::Values(
        skipping{
            R"({"$ref": "https://example.com/a.json", "type": "null"})",
            "/$ref: \"https://example.com/a.json\" leads out of this document: only references "
            "within it are followed",
            "1",
            "it must be null, not a number"},
        skipping{
            R"({"items": {"$ref": "#/$defs/a"}})",
            "/items/$ref: \"#/$defs/a\" leads nowhere: there is no \"$defs\" at the root",
            "[1]",
            ""},
        skipping{R"({"$ref": 5})", "/$ref: must be a string", "1", ""},
        skipping{
            R"({"$ref": "#", "type": "object"})",
            "the schema: applies itself to the same value again, without end",
            "1",
            "it must be an object, not a number"},
        skipping{
            R"({"items": {"anyOf": [{"$ref": "#/items"}, {"$ref": "#/$defs/a"}]},
                "$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}})",
            "/$defs/a: applies itself to the same value again, without end\n"
            "/items: applies itself to the same value again, without end",
            "[1, 1]",
            ""}
    )
);

// A keyword that is skipped accepts more. What refuses a value for that is not certain.
INSTANTIATE_TEST_SUITE_P(
    within,
    skipped_keywords,
    testing::Values(
        skipping{R"({"not": {"type": "any"}})", "/not/type: \"any\" is no type", "1", ""},
        skipping{
            R"({"not": {"type": "string"}, "minLength": "1"})",
            "/minLength: must be a whole number from 0 on",
            "\"a\"",
            "it must not fit the schema of \"not\""},
        skipping{
            R"({"oneOf": [null, {"type": "integer"}]})",
            "/oneOf/0: must be a schema: an object, true or false",
            "1",
            ""},
        skipping{
            R"({"oneOf": [{"type": "any"}, {"type": "integer"}, {"minimum": 0}]})",
            "/oneOf/0/type: \"any\" is no type",
            "1",
            "it must fit exactly one of 3 alternatives, but fits number 2 and number 3"},
        skipping{
            R"({"if": {"type": "any"}, "then": false, "else": false})",
            "/if/type: \"any\" is no type",
            "1",
            ""},
        skipping{
            R"({"if": {"type": "any", "minimum": 5}, "then": false, "else": {"maximum": 0}})",
            "/if/type: \"any\" is no type",
            "3",
            "it must be at most 0, not 3"},
        skipping{
            R"({"contains": {"type": "any"}, "maxContains": 1})",
            "/contains/type: \"any\" is no type",
            "[1, 2]",
            ""},
        skipping{
            R"({"allOf": [{"$ref": "#here"}], "unevaluatedProperties": false})",
            "/allOf/0/$ref: \"#here\" leads nowhere: there is no such anchor",
            R"({"a": 1})",
            ""},
        skipping{
            R"({"allOf": [{"$ref": "#here"}], "unevaluatedItems": false})",
            "/allOf/0/$ref: \"#here\" leads nowhere: there is no such anchor",
            "[1]",
            ""}
    )
);

TEST(schema, that_cannot_be_read_as_a_whole_is_a_problem_all_the_same) {
    boost::json::value deep = true;
    for (int level = 0; level < 200; ++level) deep = boost::json::object{{"not", deep}};

    EXPECT_FALSE(compile(deep, {.skips_unusable = true}));
    EXPECT_FALSE(compile(boost::json::object(), {.skips_unusable = true, .at = "/a"}));
}

} // namespace
} // namespace postrider::agent::json_schema::skipped_keywords_test
