#include "agent/json_schema/json_schema.hpp"
#include "agent/models/tool_schema.hpp"
#include "base/json/json.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::wire::tool_schema_test {
namespace {

namespace json = boost::json;

json::value json_of(std::string_view text) {
    return base::parse_json(text).value();
}

struct schema_case {
    std::string_view schema;
    std::string_view accepted;
};

TEST(accepted_schema, is_what_every_provider_takes) {
    schema_case const cases[]{
        {R"({})", R"({"type":"object","properties":{}})"},
        {R"({"type":"object"})", R"({"type":"object","properties":{}})"},
        {R"({"type":["object","null"],"properties":null})", R"({"type":"object","properties":{}})"},
        {R"({"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{}})",
         R"({"type":"object","properties":{}})"},
        // Alternatives at the root become one object. All that all of them require is required.
        {R"({"type":"object","anyOf":[
             {"properties":{"a":{"type":"string"},"b":{}},"required":["a","b"]},
             {"properties":{"a":{"type":"string"},"c":{}},"required":["a"]}]})",
         R"({"type":"object","properties":{"a":{"type":"string"},"b":{},"c":{}},"required":["a"]})"},
        {R"({"oneOf":[{"properties":{"kind":{"const":"x"}},"required":["kind"]},
                      {"properties":{"kind":{"const":"y"}},"required":["kind"]}]})",
         R"({"type":"object","properties":{"kind":{"anyOf":[{"const":"x"},{"const":"y"}]}},
             "required":["kind"]})"},
        {R"({"allOf":[{"$ref":"#/$defs/A"},{"properties":{"b":{}},"required":["b"]}],
             "$defs":{"A":{"properties":{"a":{}},"required":["a"],"additionalProperties":false}}})",
         R"({"type":"object","properties":{"a":{},"b":{}},"required":["a","b"],
             "$defs":{"A":{"properties":{"a":{}},"required":["a"],"additionalProperties":false}}})"},
        {R"({"$ref":"#/definitions/A","definitions":{"A":{"type":"object","properties":{"a":{}}}}})",
         R"({"type":"object","properties":{"a":{}},
             "definitions":{"A":{"type":"object","properties":{"a":{}}}}})"},
        {R"({"type":"object","properties":{"a":{}},"not":{"required":["b"]},"enum":[{}]})",
         R"({"type":"object","properties":{"a":{}}})"},
        // Below the root.
        {R"({"type":"object","properties":{"l":{"type":"array"},"o":{"type":"object"},"any":true}})",
         R"({"type":"object","properties":{"l":{"type":"array","items":{}},
             "o":{"type":"object","properties":{}},"any":{}}})"},
        {R"({"type":"object","properties":{"p":{"type":"array","items":[{"type":"number"},{}]}}})",
         R"({"type":"object","properties":{"p":{"type":"array","prefixItems":[{"type":"number"},{}],
             "items":{}}}})"},
        {R"({"type":"object","properties":{
             "n":{"type":"number","minimum":0,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false},
             "r":{"type":"string","required":true},"e":{"type":"any","enum":[]},"t":{"type":["x","string"]}},
             "required":["n","n",5]})",
         R"({"type":"object","properties":{"n":{"type":"number","exclusiveMinimum":0,"maximum":9},
             "r":{"type":"string"},"e":{},"t":{}},"required":["n"]})"},
        // Regular expressions that cannot be run, and what of drafts before 2020-12 names the schema.
        {R"json({"id":"x","properties":{"id":{"type":"string","pattern":"^(?!x)"},
             "b":{"pattern":"(?<=x)y"},"c":{"pattern":"(a)\\1"},"d":{"pattern":"^[a-z]+$"}}})json",
         R"({"type":"object","properties":{"id":{"type":"string"},"b":{},"c":{},
             "d":{"pattern":"^[a-z]+$"}}})"},
        {R"json({"properties":{"o":{"patternProperties":{"^(?!x)":{},"^y":{}},"additionalProperties":false},
             "p":{"patternProperties":{"^(?!x)":{}}}}})json",
         R"({"type":"object","properties":{"o":{"patternProperties":{"^y":{}}},"p":{}}})"},
        // Keywords that nobody can use, and references that lead nowhere.
        {R"({"properties":{"a":{"type":"string","minLength":"1","maxLength":-1,"minItems":0.5,"format":5,
             "title":{"en":"A"},"anyOf":[],"uniqueItems":"true","multipleOf":0,"minimum":"0",
             "dependentRequired":{"b":5}}}})",
         R"({"type":"object","properties":{"a":{"type":"string"}}})"},
        {R"({"properties":{"n":null,"s":"string","any":{"type":["any","null"]},
             "l":{"type":"array","items":"string"},
             "o":{"type":"object","properties":["x"],"additionalProperties":"false"},
             "u":{"items":{},"unevaluatedItems":null,"contains":5}}})",
         R"({"type":"object","properties":{"n":{},"s":{},"any":{},"l":{"type":"array","items":{}},
             "o":{"type":"object","properties":{}},"u":{"items":{}}}})"},
        {R"({"properties":{"a":{"not":{"type":"any"}},"b":{"oneOf":[null,{"type":"string"}]},
             "c":{"oneOf":[{"type":"any"},{"type":"string"}]},"d":{"allOf":[null,{"type":"string"}]}}})",
         R"({"type":"object","properties":{"a":{},"b":{},"c":{},"d":{"allOf":[{},{"type":"string"}]}}})"},
        {R"({"properties":{"far":{"$ref":"https://example.com/a.json","description":"d"},
             "lost":{"$ref":"#/$defs/lost"},"name":{"$ref":"#here"},"value":{"$ref":"#/$defs/L/title"},
             "$ref":{"type":"string"},"default":{"$ref":"#/$defs/lost"},
             "same":{"$ref":"#/%24defs/List%5BA%5D","default":{"$ref":"#/x"}}},
             "$defs":{"List[A]":{"type":"string"},"L":{"title":"t"}}})",
         R"({"type":"object","properties":{"far":{"description":"d"},"lost":{},"name":{},"value":{},
             "$ref":{"type":"string"},"default":{},
             "same":{"$ref":"#/%24defs/List%5BA%5D","default":{"$ref":"#/x"}}},
             "$defs":{"List[A]":{"type":"string"},"L":{"title":"t"}}})"},
    };
    for (auto const& [schema, accepted] : cases)
        EXPECT_EQ(
            accepted_schema(json_of(schema).as_object(), schema_form::complete), json_of(accepted)
        ) << schema;
}

TEST(accepted_schema, leaves_a_good_one_as_it_is) {
    auto const good = json_of(R"json({"type":"object","properties":{
        "a":{"type":"array","items":{"type":"string","pattern":"^x"}},
        "b":{"anyOf":[{"type":"null"},{"type":"object","properties":{"c":{"default":null}}}]}},
        "required":["a"],"additionalProperties":false})json");
    for (auto const form : {schema_form::usual, schema_form::complete})
        EXPECT_EQ(accepted_schema(good.as_object(), form), good);
    auto const bare = json_of(R"({"type":"object","patternProperties":{"x":{"type":"array"}}})");
    EXPECT_EQ(accepted_schema(bare.as_object(), schema_form::usual), bare);
}

TEST(accepted_schema, ends_where_references_go_in_circles) {
    for (std::string_view const text :
         {R"({"$ref":"#"})",
          R"({"anyOf":[{"$ref":"#"},{"$ref":"#/anyOf/0"}]})",
          R"({"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}}})"}) {
        auto const accepted = accepted_schema(json_of(text).as_object(), schema_form::complete);
        EXPECT_EQ(accepted.at("type"), "object") << text;
        EXPECT_TRUE(accepted.at("properties").is_object()) << text;
    }
}

// What a call may be by the tool's own schema, it may be by the one that is declared.
TEST(accepted_schema, takes_all_that_the_schema_takes) {
    auto const schema = json_of(R"({"oneOf":[
        {"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false},
        {"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}]})"
    );
    auto const accepted =
        agent::json_schema::compile(accepted_schema(schema.as_object(), schema_form::complete))
            .value();
    EXPECT_TRUE(accepted.check(json_of(R"({"id":1})")).empty());
    EXPECT_TRUE(accepted.check(json_of(R"({"name":"x"})")).empty());
}

} // namespace
} // namespace postrider::agent::wire::tool_schema_test
