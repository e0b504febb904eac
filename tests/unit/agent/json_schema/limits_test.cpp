// Whatever the schema and the value: an end, a bounded answer, no deep stack.
#include "agent/json_schema/json_schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::json_schema::limits_test {

namespace json = boost::json;
namespace {

schema compiled(std::string_view text) {
    return compile(base::parse_json(text).value()).value();
}

json::value nested(std::size_t levels) {
    json::value lists = json::array{};
    for (std::size_t i = 1; i < levels; ++i) lists = json::array{std::move(lists)};
    return lists;
}

TEST(check_limits, bound_the_violations) {
    auto const strings = compiled(R"({"items": {"type": "string"}})");
    json::array const numbers(100, json::value(1));
    EXPECT_EQ(strings.check(numbers).size(), 20u);
    EXPECT_EQ(strings.check(numbers, {.violations = 3}).size(), 3u);
    EXPECT_EQ(strings.check(numbers, {.violations = 3}).back().path, "/2");
    EXPECT_EQ(strings.check(numbers, {.violations = 0}).size(), 1u) << "none would mean: it fits";
}

TEST(check_limits, bound_the_depth_of_the_value) {
    auto const lists = compiled(R"({"type": "array", "items": {"$ref": "#"}})");
    EXPECT_TRUE(lists.check(nested(128)).empty());
    auto const found = lists.check(nested(129));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].code, "limit");
    EXPECT_EQ(found[0].path, "");
    EXPECT_EQ(found[0].message, "must not be nested deeper than 128 levels");
    EXPECT_EQ(lists.check(nested(3), {.depth = 2}).size(), 1u);
}

// Each level doubles the ways through the schema.
TEST(check_limits, bound_the_work) {
    json::object levels;
    for (int i = 0; i < 60; ++i) {
        json::object const next{{"$ref", "#/$defs/" + std::to_string(i + 1)}};
        levels[std::to_string(i)] = json::object{{"allOf", json::array{next, next}}};
    }
    levels["60"] = true;
    auto const doubling = compile(json::object{{"$ref", "#/$defs/0"}, {"$defs", levels}}).value();
    auto const found = doubling.check(1);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].code, "limit");
    EXPECT_EQ(found[0].message, "must be simpler: checking it takes too much work");
}

// Each alternative sums up anew which of the items it has looked at.
TEST(check_limits, bound_the_work_of_summing_up) {
    json::array const alternatives(2000, json::value(true));
    auto const summing =
        compile(json::object{{"unevaluatedItems", true}, {"anyOf", alternatives}}).value();
    json::array const many(100'000, json::value(1));
    auto const found = summing.check(many);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].code, "limit");
    EXPECT_TRUE(summing.check(json::array{1, 2, 3}).empty());
}

// A hundred levels of the value, and at each fifty schemas that lead to each other.
TEST(check_limits, bound_the_stack) {
    json::object chain;
    for (int i = 0; i < 50; ++i)
        chain[std::to_string(i)] = json::object{{"$ref", "#/$defs/" + std::to_string(i + 1)}};
    chain["50"] = json::object{{"items", {{"$ref", "#/$defs/0"}}}};
    auto const lists = compile(json::object{{"$ref", "#/$defs/0"}, {"$defs", chain}}).value();
    EXPECT_TRUE(lists.check(nested(10)).empty());
    EXPECT_EQ(lists.check(nested(100)).at(0).code, "limit");
}

TEST(check_limits, make_not_refuse_what_was_not_checked) {
    auto const negated = compiled(R"({"not": {"items": {"type": "string"}}})");
    json::array const strings(100, json::value("a"));
    EXPECT_EQ(negated.check(strings, {.work = 10}).at(0).code, "limit");
}

TEST(compile_limits, bound_the_depth_of_the_document) {
    json::value deep = true;
    for (int i = 0; i < 200; ++i) deep = json::object{{"items", std::move(deep)}};
    auto const schema = compile(deep);
    ASSERT_FALSE(schema);
    EXPECT_EQ(to_text(schema.error()), "the schema: is nested too deeply");
}

// Every place of a schema is kept as text.
TEST(compile_limits, bound_the_length_of_names) {
    json::object many;
    for (int i = 0; i < 1000; ++i) many[std::to_string(i)] = true;
    json::object const inner{{"properties", many}};
    json::object const outer{{"properties", {{std::string(100'000, 'x'), inner}}}};
    auto const schema = compile(outer);
    ASSERT_FALSE(schema);
    EXPECT_EQ(
        to_text(schema.error()), "the schema: has too many subschemas, or names that are too long"
    );
}

TEST(compile_limits, bound_the_schemas_that_apply_to_one_value) {
    json::object chain;
    for (int i = 0; i < 1000; ++i)
        chain[std::to_string(i)] = json::object{{"$ref", "#/$defs/" + std::to_string(i + 1)}};
    chain["1000"] = true;
    auto const schema = compile(json::object{{"$ref", "#/$defs/0"}, {"$defs", chain}});
    ASSERT_FALSE(schema);
    EXPECT_THAT(
        schema.error().at(0).message, testing::HasSubstr("too many schemas to the same value")
    );
}

TEST(message_limits, echo_nothing_long) {
    std::string const long_text(100'000, 'x');
    json::array const many(50, json::value(long_text));
    auto const wordy = compile(json::object{
                                   {"enum", many},
                                   {"properties", json::object{{long_text, true}}},
                                   {"required", json::array{long_text + "y"}},
                                   {"additionalProperties", false},
                               })
                           .value();
    for (auto const& value : {json::value(json::object{{"a", long_text}}), json::value(long_text)})
        for (auto const& found : wordy.check(value)) EXPECT_LE(found.message.size(), 500u);
    auto const found = wordy.check(json::object{{long_text + "z", 1}});
    EXPECT_TRUE(found.back().path == "/" + long_text + "z") << "a path is exact";
    EXPECT_LT(to_text(found, "it").size(), 2000u) << "but not in a text";
}

TEST(message_limits, cut_between_code_points) {
    std::string umlauts;
    for (int i = 0; i < 1000; ++i) umlauts += "ä";
    auto const found = compile(json::object{{"const", umlauts}}).value().check(1);
    EXPECT_TRUE(base::parse_json("\"" + found.at(0).message.substr(9)).has_value())
        << found[0].message;
}

// A flow of 500 nodes of 20 kinds.
TEST(check, is_fast_enough_for_a_large_flow) {
    json::array kinds;
    for (int i = 0; i < 20; ++i)
        kinds.push_back(json::object{
            {"properties",
             {{"kind", {{"const", "kind" + std::to_string(i)}}},
              {"parameters",
               {{"type", "object"},
                {"additionalProperties", {{"type", "string"}, {"maxLength", 1000}}}}}}},
            {"required", json::array{"kind", "parameters"}},
            {"additionalProperties", false}});
    auto const flow = compile(json::object{{"items", {{"oneOf", kinds}}}}).value();
    json::array nodes;
    for (int i = 0; i < 500; ++i)
        nodes.push_back(json::object{
            {"kind", "kind" + std::to_string(i % 20)},
            {"parameters", {{"a", "one"}, {"b", "two"}, {"c", "three"}, {"d", "four"}}}});
    EXPECT_TRUE(flow.check(nodes, {.work = 200'000}).empty());
}

} // namespace
} // namespace postrider::agent::json_schema::limits_test
