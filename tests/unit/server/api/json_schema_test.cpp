// The checker that the API's description is compared with must itself find what is wrong.
#include "tests/support/json_schema.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests {
namespace {

using boost::json::parse;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto document = R"({"components": {"schemas": {
  "Job": {"type": "object", "required": ["id", "state"], "properties": {
    "id": {"type": "integer", "minimum": 1},
    "state": {"type": "string", "enum": ["failed", "paused"]},
    "error": {"type": ["string", "null"], "maxLength": 5},
    "kind": {"const": "turn"},
    "states": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}}},
  "Jobs": {"type": "array", "items": {"$ref": "#/components/schemas/Job"}},
  "Empty": {"type": "object", "additionalProperties": false, "properties": {"a": {}}},
  "Some": {"type": "object", "minProperties": 1},
  "Odd": {"pattern": "x"}}}})";

std::vector<std::string> mistakes(std::string name, std::string value, bool closed = true) {
    auto const all = parse(document);
    auto const& schema = all.at("components").at("schemas").at(name);
    return schema_mistakes(all, schema, parse(value), closed);
}

TEST(json_schema, what_fits_has_no_mistakes) {
    EXPECT_THAT(
        mistakes(
            "Jobs",
            R"([{"id": 1, "state": "failed", "error": null, "kind": "turn", "states": ["x"]}])"
        ),
        IsEmpty()
    );
    EXPECT_THAT(mistakes("Some", R"({"x": 1})"), IsEmpty());
}

TEST(json_schema, what_does_not_fit_is_named_with_its_place) {
    EXPECT_THAT(mistakes("Jobs", "{}"), ElementsAre("the value: {} is not \"array\""));
    EXPECT_THAT(mistakes("Jobs", R"([{"id": 1}])"), ElementsAre("[0]: state is missing"));
    EXPECT_THAT(
        mistakes("Job", R"({"id": 0, "state": "x"})"),
        ElementsAre(".id: 0 is out of range", ".state: \"x\" is none of the choices")
    );
    EXPECT_EQ(mistakes("Job", R"({"id": 1.5, "state": "failed"})").size(), 1u);
    EXPECT_EQ(mistakes("Job", R"({"id": 1, "state": "failed", "error": "longer"})").size(), 1u);
    EXPECT_EQ(mistakes("Job", R"({"id": 1, "state": "failed", "kind": "x"})").size(), 1u);
    EXPECT_EQ(mistakes("Job", R"({"id": 1, "state": "failed", "states": 1})").size(), 1u);
    EXPECT_EQ(mistakes("Some", "{}").size(), 1u);
    EXPECT_EQ(mistakes("Odd", "1").size(), 1u) << "a word that is not checked";
}

TEST(json_schema, what_is_not_described_is_a_mistake_where_nothing_else_may_come) {
    EXPECT_EQ(mistakes("Job", R"({"id": 1, "state": "failed", "more": 1})").size(), 1u);
    EXPECT_THAT(mistakes("Job", R"({"id": 1, "state": "failed", "more": 1})", false), IsEmpty());
    EXPECT_EQ(mistakes("Empty", R"({"b": 1})", false).size(), 1u);
}

} // namespace
} // namespace postrider::tests
