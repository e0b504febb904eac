// What compile() says about schemas that cannot be used.
#include "agent/json_schema/json_schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::json_schema::problems_test {

namespace json = boost::json;
namespace {

std::string problems_of(std::string_view schema, compile_options const& options = {}) {
    auto const compiled = compile(base::parse_json(schema).value(), options);
    return compiled ? "" : to_text(compiled.error());
}

struct example {
    std::string_view schema;
    std::string_view problems;
};

void PrintTo(example const& shown, std::ostream* out) {
    *out << shown.schema;
}

class compiling : public testing::TestWithParam<example> {};

// covers: S3.11
TEST_P(compiling, names_what_is_wrong_and_where) {
    EXPECT_EQ(problems_of(GetParam().schema), GetParam().problems);
}

INSTANTIATE_TEST_SUITE_P(
    broken_keywords,
    compiling,
    testing::Values(
        example{"7", "the schema: must be a schema: an object, true or false"},
        example{R"({"type": "int"})", "/type: \"int\" is no type"},
        example{R"({"type": 1})", "/type: must be an array\n/type: must name a type"},
        example{
            R"({"items": {"minLength": -1}})",
            "/items/minLength: must be a whole number from 0 on"},
        example{R"({"minimum": "1"})", "/minimum: must be a number"},
        example{R"({"multipleOf": 0})", "/multipleOf: must be more than 0"},
        example{R"({"required": [1]})", "/required: must hold nothing but strings"},
        example{
            R"({"dependencies": {"a": [1]}})", "/dependencies/a: must hold nothing but strings"},
        example{
            R"({"properties": {"a/b": 1}})",
            "/properties/a~1b: must be a schema: an object, true or false"},
        example{R"({"anyOf": []})", "/anyOf: must not be empty"},
        example{R"({"allOf": [true, 1]})", "/allOf/1: must be a schema: an object, true or false"},
        example{R"({"uniqueItems": 1})", "/uniqueItems: must be true or false"}
    )
);

INSTANTIATE_TEST_SUITE_P(
    patterns,
    compiling,
    testing::Values(
        example{
            R"x({"pattern": "a(?=b)"})x",
            "/pattern: is no regular expression that RE2 knows: invalid perl operator: (?="},
        example{
            R"({"patternProperties": {"[": {}}, "additionalProperties": false})",
            "/patternProperties/[: is no regular expression that RE2 knows: missing ]: ["}
    )
);

INSTANTIATE_TEST_SUITE_P(
    references,
    compiling,
    testing::Values(
        example{
            R"({"$ref": "https://example.com/other.json"})",
            "/$ref: \"https://example.com/other.json\" leads out of this document: only references "
            "within it are followed"},
        example{
            R"({"items": {"$ref": "#/$defs/a"}})",
            "/items/$ref: \"#/$defs/a\" leads nowhere: there is no \"$defs\" at the root"},
        example{
            R"({"$defs": {}, "$ref": "#/$defs/a"})",
            "/$ref: \"#/$defs/a\" leads nowhere: there is no \"a\" at /$defs"},
        example{R"({"$ref": "#here"})", "/$ref: \"#here\" leads nowhere: there is no such anchor"},
        example{R"({"$ref": "# #"})", "/$ref: \"# #\" is no URI reference"},
        example{
            R"({"default": 1, "$ref": "#/default"})",
            "/default: must be a schema: an object, true or false"}
    )
);

INSTANTIATE_TEST_SUITE_P(
    loops,
    compiling,
    testing::Values(
        example{
            R"({"$ref": "#"})", "the schema: applies itself to the same value again, without end"},
        example{
            R"({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}})",
            "/$defs/a: applies itself to the same value again, without end"},
        example{
            R"({"items": {"anyOf": [{"type": "null"}, {"$ref": "#/items"}]}})",
            "/items: applies itself to the same value again, without end"},
        example{
            R"({"dependentSchemas": {"a": {"if": {"not": {"$ref": "#"}}}}})",
            "the schema: applies itself to the same value again, without end"}
    )
);

TEST(compile, a_schema_may_lead_to_itself_for_a_part_of_the_value) {
    auto const tree =
        compile(
            base::parse_json(
                R"({"properties": {"nodes": {"items": {"$ref": "#"}}, "name": {"type": "string"}}})"
            )
                .value()
        )
            .value();
    auto const found =
        tree.check(base::parse_json(R"({"nodes": [{"nodes": [{"name": 1}]}]})").value());
    EXPECT_EQ(to_text(found, "it"), "/nodes/0/nodes/0/name must be a string, not a number");
}

TEST(compile, tells_all_problems_up_to_a_bound) {
    EXPECT_EQ(
        problems_of(R"x({"properties": {"a": {"type": "x"}, "b": {"pattern": "("}}})x"),
        "/properties/a/type: \"x\" is no type\n"
        "/properties/b/pattern: is no regular expression that RE2 knows: missing ): ("
    );
    json::array many(1000, json::object{{"type", "x"}});
    auto const compiled = compile(json::object{{"anyOf", many}});
    ASSERT_FALSE(compiled);
    EXPECT_EQ(compiled.error().size(), 20u);
}

TEST(compile, names_the_place_that_is_not_there) {
    EXPECT_EQ(problems_of("{}", {.at = "/a"}), "/a: leads nowhere: there is no \"a\" at the root");
}

TEST(compile, an_unread_failure_is_an_exception) {
    EXPECT_THROW(compile(json::value(1)).value(), std::runtime_error);
}

} // namespace
} // namespace postrider::agent::json_schema::problems_test
