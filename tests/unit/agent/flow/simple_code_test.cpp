// Code for which the validator knows a node with an expression.
#include "agent/flow/nodes/simple_code.hpp"
#include "agent/flow/validate/validate.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::flow::simple_code_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(simple_code, of_one_statement_is_found) {
    for (auto code :
         {"return $json.x + 1",
          "return { n: $json.n + 1, name: $json.name.trim() };",
          "return { ...$json, ok: $json.text === 'a; b' };",
          "return $input.map(item => ({ n: item.n * 2 }));",
          "return $input.all().map(item => ({ json: { n: item.json.n + 1 } }));",
          "\n  return items.map((i) => ({ json: { n: i.json.n } }))\n"})
        EXPECT_EQ(simpler_type_than("javascript", code), "set") << code;
    for (auto code :
         {"return $input.filter(item => item.price > 10);",
          "return items.filter(i => i.json.tags.includes('paid') && !i.json.done)"})
        EXPECT_EQ(simpler_type_than("javascript", code), "items.filter") << code;
    EXPECT_EQ(simpler_type_than("python", "return {'n': item['n'] + 1}"), "set");
    EXPECT_EQ(simpler_type_than("python", "return [{'n': i['n']} for i in items]"), "set");
    EXPECT_EQ(
        simpler_type_than("python", "return [i for i in items if i['n'] > 1]"), "items.filter"
    );
}

TEST(simple_code, is_no_code_that_does_more) {
    for (auto code :
         {"let total = 0;\nfor (const item of $input) total += item.price;\nreturn { total };",
          "return items;",
          "return 7;",
          "return { a: require('crypto').randomUUID(), b: $json.b };",
          "return { a: await fetch($json.url) };",
          "const n = $json.n;\nreturn { n };",
          "return { a: ($json.n = 2) };",
          "return $input.filter(item => { let n = item.n; return n > 1; });"})
        EXPECT_EQ(simpler_type_than("javascript", code), "") << code;
    EXPECT_EQ(simpler_type_than("python", "import re\nreturn {'n': item['n']}"), "");
    EXPECT_EQ(simpler_type_than("python", "return {'n': open(item['n']).read()}"), "");
}

TEST(simple_code, is_a_warning) {
    static catalog const types = builtin_types();
    auto const warnings_of = [](std::string_view code) {
        auto const text = tests::flow_builder("code")
                              .trigger("In", "manual")
                              .node("Code", "code", {{"code", code}})
                              .text();
        return validate(tests::read_flow(text), types);
    };
    auto const warned = warnings_of("return { n: $json.n + 1 };");
    EXPECT_THAT(tests::codes(warned), ElementsAre("simpler_node /nodes/1 (warning)"));
    EXPECT_EQ(warned.at(0).message, R"("Set fields" can do this with an expression)");
    EXPECT_THAT(warnings_of("console.log($json); return $json;"), IsEmpty());
}

} // namespace
} // namespace postrider::agent::flow::simple_code_test
