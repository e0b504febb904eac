// The language itself; docs/expressions.md has an example of everything, which
// expression_document_test evaluates.
#include "agent/expression/expression.hpp"
#include "tests/unit/agent/expression_scope.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::expression_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

json_scope const& sample() {
    static json_scope const scope{R"({
        "$json": {"name": "Ada", "age": 36, "id": -1001234567890, "big": 9007199254740993,
                  "tags": ["a", "b"], "none": null, "in": 1, "with space": true,
                  "items": [{"n": 1, "ok": true}, {"n": 2}, {"n": 3, "ok": false}]},
        "$vars": {"key": "name", "secret": "hunter2"},
        "$now": "2026-11-21T15:30:00Z",
        "$node": {"Fetch": {"json": {"total": 7}, "items": [1, 2]}}
    })"};
    return scope;
}

// The value as JSON, or the error.
std::string shown(std::string_view source, expression_limits limits = {}) {
    auto parsed = expression::parse(source, from_ai::refused, limits);
    if (!parsed) return "error: " + to_text(parsed.error());
    auto value = parsed->evaluate(sample(), limits);
    return value ? boost::json::serialize(*value) : "error: " + to_text(value.error());
}

struct example {
    std::string_view source;
    std::string_view result;
};

void expect_all(std::initializer_list<example> examples) {
    for (auto [source, result] : examples) EXPECT_EQ(shown(source), result) << source;
}

// covers: S3.18
TEST(expression, binds_operators_as_cel_does) {
    expect_all({
        {"1 + 2 * 3", "7"},
        {"(1 + 2) * 3", "9"},
        {"10 - 4 - 3", "3"},
        {"7 / 2", "3.5E0"},
        {"-2 * -3", "6"},
        {"- -3", "3"},
        {"7 % 4 * 2", "6"},
        {"-7 % 4", "-3"},
        {"1 + 1 == 2 && 2 < 3", "true"},
        {"false && false || true", "true"},
        {"true || false && false", "true"},
        {"!true == false", "true"},
        {"1 < 2 == true", "true"},
        {"true ? 1 : false ? 2 : 3", "1"},
        {"false ? 1 : false ? 2 : 3", "3"},
        {"true ? false ? 1 : 2 : 3", "2"},
        {"1 in [1, 2] && !(3 in [1, 2])", "true"},
        {"\"a\" + 'b' + \"c\"", "\"abc\""},
        {"[1] + [2, 3] + []", "[1,2,3]"},
    });
}

TEST(expression, keeps_the_digits_of_integers) {
    expect_all({
        {"$json.id", "-1001234567890"},
        {"$json.big", "9007199254740993"},
        {"$json.big == 9007199254740993", "true"},
        {"$json.big == 9007199254740992", "false"},
        {"$json.big == 9007199254740992.0", "false"},
        {"$json.big > 9007199254740992.0", "true"},
        {"-$json.big", "-9007199254740993"},
        {"string($json.big)", "\"9007199254740993\""},
        {"toJson([$json.big])", "\"[9007199254740993]\""},
        {"int(\"9007199254740993\")", "9007199254740993"},
        {"1 + 1", "2"},
        {"0.5 + 0.5", "1"},
        {"-0.0", "0"},
        {"1e3", "1000"},
        {"1e3 + 0", "1000"},
        {"1 == 1.0", "true"},
        {"1.0 in [1]", "true"},
    });
}

TEST(expression, reads_members) {
    expect_all({
        {"$json.name", "\"Ada\""},
        {"$json['name']", "\"Ada\""},
        {"$json[$vars.key]", "\"Ada\""},
        {"$json[\"with space\"]", "true"},
        {"$json.in", "1"},
        {"$json.items[1].n", "2"},
        {"$json.items[1.0].n", "2"},
        {"$node[\"Fetch\"].json.total", "7"},
        {"$node['Fetch'].items.size()", "2"},
        {"{'a': {'b': [1, 2]}}.a.b[1]", "2"},
        {"[[1, 2], [3]][0]", "[1,2]"},
        {"$json.?nothing", "null"},
        {"$json.none.?deeper", "null"},
        {"$json.?nothing.?deeper.orValue('x')", "\"x\""},
        {"$json.items[?9]", "null"},
        {"$json[?'nothing']", "null"},
    });
}

TEST(expression, asks_whether_there_is_something) {
    expect_all({
        {"has($json.name)", "true"},
        {"has($json.none)", "true"},
        {"has($json.nothing)", "false"},
        {"has($json.nothing.at.all)", "false"},
        {"has($json.none.at.all)", "false"},
        {"has($json['nothing'])", "false"},
        {"has($json.items[9])", "false"},
        {"has($json.items[2].ok)", "true"},
        {"has($node['Fetch'].json)", "true"},
        {"has($node['Other'].json)", "false"},
        {"has($session.id)", "false"},
        {"$json.items.filter(i, has(i.ok)).map(i, i.n)", "[1,3]"},
    });
    // What is missing elsewhere than along the path is an error.
    EXPECT_THAT(shown("has($json[$vars.nothing])"), HasSubstr("`nothing`"));
    EXPECT_THAT(shown("has($json.items.map(i, i.ok).x)"), HasSubstr("`ok`"));
    EXPECT_THAT(shown("has($json.name.first)"), HasSubstr("type string"));
}

TEST(expression, lets_the_deciding_side_make_up_for_an_error) {
    expect_all({
        {"false && 1 / 0 > 0", "false"},
        {"1 / 0 > 0 && false", "false"},
        {"true || 1 / 0 > 0", "true"},
        {"1 / 0 > 0 || true", "true"},
        {"false && 5", "false"},
        {"5 || true", "true"},
        {"true || $json.nothing", "true"},
        {"true ? 1 : 1 / 0", "1"},
        {"[1, 0].exists(x, 1 / x == 1)", "true"},
        {"[0, 1].exists(x, 1 / x == 1)", "true"},
        {"[0, 1].all(x, 1 / x == 2)", "false"},
    });
    EXPECT_THAT(shown("true && 1 / 0 > 0"), HasSubstr("division by zero"));
    EXPECT_THAT(shown("1 / 0 > 0 || false"), HasSubstr("division by zero"));
    EXPECT_THAT(shown("true && 5"), HasSubstr("needs true or false"));
    EXPECT_THAT(shown("[0, 1].all(x, 1 / x == 1)"), HasSubstr("division by zero"));
}

TEST(expression, compares) {
    expect_all({
        {"[1, {'a': [2]}] == [1.0, {'a': [2]}]", "true"},
        {"{'a': 1, 'b': 2} == {'b': 2, 'a': 1}", "true"},
        {"{'a': 1} == {'a': 1, 'b': 2}", "false"},
        {"{'a': 1} == {'b': 1}", "false"},
        {"1 == '1'", "false"},
        {"null == false", "false"},
        {"null == null", "true"},
        {"true != false", "true"},
        {"'b' > 'a' && 'a' <= 'a' && 2 >= 2.0", "true"},
        {"'Z' < 'a' && 'z' < 'ä' && 'ä' < '€'", "true"},
    });
    for (std::string_view none : {"1 < '1'", "true < 1", "null < null", "[1] < [2]"})
        EXPECT_THAT(shown(none), HasSubstr("have no order")) << none;
}

TEST(expression, gives_macros_variables_of_their_own) {
    expect_all({
        {"[1, 2].map(x, [10, 20].map(y, x * y))", "[[10,20],[20,40]]"},
        {"[1, 2].map(x, [3].map(x, x))", "[[3],[3]]"},
        {"[[1], [2, 3]].map(x, x.map(y, y + x.size()))", "[[2],[4,5]]"},
        {"{'b': 1, 'a': 2}.map(k, k)", "[\"b\",\"a\"]"},
        {"[3, 1, 2].map(x, x > 1, x * 10)", "[30,20]"},
        {"$json.items.sortBy(i, -i.n).map(i, i.n)", "[3,2,1]"},
        {"[1, 2, 2].exists_one(x, x == 1) && ![1, 2, 2].exists_one(x, x == 2)", "true"},
        {"[].all(x, false) && ![].exists(x, true)", "true"},
    });
    EXPECT_THAT(shown("[1].map(x, x) + [x]"), HasSubstr("nothing named `x`"));
    EXPECT_THAT(shown("[1].map(true, 1)"), HasSubstr("begins with a name"));
    EXPECT_THAT(shown("map([1], x, x)"), HasSubstr("items.map(i, …)"));
}

TEST(expression, reads_strings) {
    expect_all({
        {R"("\u00e4\n\t\"\\\x41\U0001F600")", "\"ä\\n\\t\\\"\\\\A😀\""},
        {R"(r"\d" + R'\n')", R"("\\d\\n")"},
        {R"("}}" + '{{')", R"("}}{{")"},
        {R"("a\x00b".size())", "3"},
    });
    for (std::string_view broken : {R"("a)", R"('a")", "\"a\nb\"", R"("a\)"})
        EXPECT_THAT(shown(broken), HasSubstr("not closed")) << broken;
    for (std::string_view broken : {R"("\q")", R"("\u12")", R"("\ud800")"})
        EXPECT_THAT(shown(broken), HasSubstr("no such escape")) << broken;
}

TEST(expression, names_column_and_reason) {
    expect_all({
        {"$json.nmae",
         "error: `$json.nmae`, column 7: there is no member `nmae` here; did you mean "
         "`name`?"},
        {"'ä' + $json.age",
         "error: `'ä' + $json.age`, column 5: `+` needs two numbers, two strings "
         "or two arrays, not string and number; string() makes a string of "
         "anything"},
        {"1 + ", "error: `1 + `, column 5: the expression ends too early"},
        {"(1", "error: `(1`, column 3: a `)` is missing here"},
        {"1 2", "error: `1 2`, column 3: `2` is not expected here"},
        {"$jsn.a", "error: `$jsn.a`, column 1: there is no variable `$jsn`; did you mean `$json`?"},
        {"'a'.spilt(',')",
         "error: `'a'.spilt(',')`, column 5: there is no function `spilt`; did you mean `split`?"},
        {"size()",
         "error: `size()`, column 1: size() takes 1 argument, and has 0; such as "
         "`\"größe\".size()`"},
        {"1 = 2", "error: `1 = 2`, column 3: `=` has no meaning here; equality is `==`"},
        {"2 ^ 3", "error: `2 ^ 3`, column 3: this is no operator here; a power is pow(x, y)"},
        {"$node.Fetch",
         "error: `$node.Fetch`, column 1: write the name of the node in brackets "
         "and quotes: $node[\"Name\"]"},
        {"name",
         "error: `name`, column 1: there is nothing named `name`; put strings in quotes, "
         "and start variables with $"},
        {"$node['Later'].json",
         "error: `$node['Later'].json`, column 1: there is no node `Later`, "
         "or it has not run before this one"},
        {"$session.id", "error: `$session.id`, column 1: there is no `$session` here"},
        {"'a'.matches('(')",
         "error: `'a'.matches('(')`, column 13: the pattern is not one of RE2: "
         "missing ): ("},
    });
}

TEST(expression, explains_misuse) {
    for (auto [source, why] : {
             example{"$json.items[-1]", "no such index"},
             example{"$json.items[0.5]", "no such index"},
             example{"$json.items['a']", "a value of type array has no index of type string"},
             example{"$json.none.a", "no member `a` in a value of type null"},
             example{"$json.name.a", "no member `a` in a value of type string"},
             example{"$json[0]", "no member `0`"},
             example{"$json[null]", "is a string, a whole number or a bool"},
             example{"1 in 2", "needs an array or an object on the right"},
             example{"[1] in $json", "is a string, a whole number or a bool"},
             example{"'a' - 'b'", "`-` needs two numbers"},
             example{"-'a'", "`-` needs a number"},
             example{"!1", "`!` needs true or false"},
             example{"1e308 * 10", "the result is too large"},
             example{"1e999", "too large"},
             example{"{[1]: 2}", "is a string, a whole number or a bool"},
             example{"{1.5: 2}", "is a string, a whole number or a bool"},
             example{"{'a': 1, 'a': 2}", "a key stands twice"},
             example{"1.map(x, x)", "`map` is not expected"},
             example{"'abc'.map(x, x)", "needs an array or an object in front"},
             example{"[1].filter(x, x)", "the condition must be true or false"},
             example{"[1].map(x)", "a `,` is missing"},
             example{"[1].filter(x, true, x)", "a `)` is missing"},
             example{"has($json)", "has() asks for a member"},
             example{"has($json.?name)", "has() asks for a member"},
             example{
                 "'abc'.substring(4)",
                 "argument 2 of substring() must be a whole number from 0 to 3"},
             example{"'äb'.substring(3)", "lies outside the string"},
             example{"'abc'.substring(2, 1)", "must not end before it begins"},
             example{"[1].slice(2)", "from 0 to 1"},
             example{"'a'.replace('', 'b')", "needs a text to look for"},
             example{
                 "split(1, 'a')", "argument 1 of split() must be a string, and is of type number"},
             example{"[1, 'a'].sort()", "have no order"},
             example{"[true, 1].sort()", "have no order"},
             example{"[1, 2].sortBy(x, null)", "have no order"},
             example{"[1, 'a'].sum()", "no number"},
             example{"[].max()", "at least one number"},
             example{"size(1)", "must be a string, an array or an object"},
             example{"fromJson('{')", "not JSON"},
             example{"timestamp(1e15)", "beyond the year 9999"},
             example{"$now.plus(3e11)", "beyond the year 9999"},
             example{"timestamp('21.11.2026')", "no instant"},
             example{"duration('soon')", "no duration"},
             example{"$now.getHours('Nowhere')", "no such time zone"},
             example{"$now.format('%q')", "a % that means nothing"},
             example{"$now.format('%')", "a % that means nothing"},
         })
        EXPECT_THAT(shown(source), AllOf(HasSubstr("error: "), HasSubstr(why))) << source;
}

// What stands in the data may be a secret.
TEST(expression, keeps_values_out_of_errors) {
    for (std::string_view source : {
             "$json[$vars.secret]",
             "int($vars.secret)",
             "bool($vars.secret)",
             "$vars.secret + 1",
             "-$vars.secret",
             "timestamp($vars.secret)",
             "duration($vars.secret)",
             "$now.inZone($vars.secret)",
             "$now.format('%' + $vars.secret)",
             "fromJson($vars.secret)",
             "'a'.matches('(' + $vars.secret)",
             "$vars.secret.all(x, true)",
             "{$vars.secret: 1, $vars.secret: 2}",
         }) {
        EXPECT_THAT(shown(source), HasSubstr("error: ")) << source;
        EXPECT_THAT(shown(source), testing::Not(HasSubstr("hunter2"))) << source;
    }
}

TEST(expression, tells_what_it_reads) {
    auto const parsed = expression::parse(
        "$node['B'].json.x + $node['A'].json.y + $node['B'].json.z + string($json.a) + $json.b"
    );
    ASSERT_TRUE(parsed);
    auto const reads = parsed->references();
    EXPECT_THAT(reads.nodes, ElementsAre("A", "B"));
    EXPECT_THAT(reads.variables, ElementsAre("$json"));
    EXPECT_THAT(reads.from_ai, IsEmpty());
}

TEST(expression, takes_from_the_model_where_it_may) {
    constexpr std::string_view source = "$from_ai('city', 'Where to look', 'string').upperAscii()";
    auto const refused = expression::parse(source);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().reason, HasSubstr("only in the parameters of tools"));

    auto const parsed = expression::parse(source, from_ai::allowed);
    ASSERT_TRUE(parsed);
    auto const calls = parsed->references().from_ai;
    ASSERT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].key, "city");
    EXPECT_EQ(calls[0].description, "Where to look");
    EXPECT_EQ(calls[0].type, "string");
    EXPECT_EQ(parsed->evaluate(json_scope{R"({"$from_ai": {"city": "Oslo"}})"}).value(), "OSLO");
    auto const missing = parsed->evaluate(json_scope{R"({"$from_ai": {}})"});
    EXPECT_EQ(missing.error().reason, "the model gave no `city`");

    EXPECT_EQ(
        expression::parse("$from_ai('n')", from_ai::allowed)->references().from_ai[0].type, "string"
    );
    for (std::string_view wrong :
         {"$from_ai",
          "$from_ai()",
          "$from_ai('a b')",
          "$from_ai('')",
          "$from_ai($json.name)",
          "$from_ai('a', 'b', 'int')",
          "$from_ai('a', 'b', 'string', 'd')"})
        EXPECT_FALSE(expression::parse(wrong, from_ai::allowed)) << wrong;
}

TEST(expression, knows_the_member_that_it_is) {
    auto const is_text = [](std::string_view source) {
        return expression::parse(source).value().is_member_of("$json", "text");
    };

    for (auto const* same : {"$json.text", " $json . text ", R"($json["text"])", "($json.text)"})
        EXPECT_TRUE(is_text(same)) << same;
    for (auto const* other :
         {"$json.name",
          "$json.text.text",
          "$vars.text",
          "$json",
          "text_of",
          "$json.?text",
          R"($json.text + "")",
          R"(has($json.text) ? $json.text : "")",
          "$input[0].text"})
        if (auto const parsed = expression::parse(other)) {
            EXPECT_FALSE(parsed->is_member_of("$json", "text")) << other;
        }
}

} // namespace
} // namespace postrider::agent::expression_test
