// Macros with several names, optionals, and the words of CEL.
#include "tests/unit/agent/expression/shown.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::language_test {
namespace {

using testing::HasSubstr;

// covers: S3.18
TEST(expression_language, names_two_variables) {
    expect_shown({
        {"['a', 'b'].transformList(i, x, x + string(i))", R"(["a0","b1"])"},
        {"['a', 'b'].filter(i, x, i == 1)", R"(["b"])"},
        {"{'a': 1, 'b': 2}.filter(k, v, v > 1)", "[2]"},
        {"{'a': 1, 'b': 2}.filter(k, k != 'a')", R"(["b"])"},
        {"{'a': 1, 'b': 2}.transformMap(k, v, {'n': v})", R"({"a":{"n":1},"b":{"n":2}})"},
        {"['a', 'b'].transformMapEntry(i, x, x != 'b', {x: i})", R"({"a":0})"},
        {"[1, 2].transformList(i, x, [3].transformList(j, y, i + x + j + y))", "[[4],[6]]"},
        {"[1, 2, 3].reduce(sum, x, 10, sum + x)", "16"},
        {"[1, 2].reduce(all, x, [], [x] + all)", "[2,1]"},
        {"[[1, 2], [3]].reduce(n, x, 0, x.reduce(m, y, n, m + y))", "6"},
        {"['a'].transformMap(i, x, x)", R"({"0":"a"})"},
        {"[].reduce(n, x, 'none', x)", R"("none")"},
        {"$json.items.find(i, i.n > 1)", R"({"n":2})"},
        {"$json.items.find(i, i.n > 9)", "null"},
        {"$json.items.groupBy(i, i.n > 1).keys()", R"(["false","true"])"},
    });
    EXPECT_THAT(shown("[1].transformList(x, 1)"), HasSubstr("begins with two names"));
    EXPECT_THAT(shown("[1].reduce(a, b, a, b)"), HasSubstr("nothing named `a`"));
    EXPECT_THAT(shown("[1].reduce(a, b, 0)"), HasSubstr("a `,` is missing"));
    EXPECT_THAT(shown("[1, 2].transformMapEntry(i, x, {'a': x})"), HasSubstr("stands twice"));
    EXPECT_THAT(shown("[1].transformMapEntry(i, x, x)"), HasSubstr("needs an object"));
    EXPECT_THAT(shown("[[1]].groupBy(i, i)"), HasSubstr("no array or object"));
}

TEST(expression_language, makes_strings_of_keys) {
    expect_shown({
        {"{1: 'a', true: 'b', -2: 'c'}", R"({"1":"a","true":"b","-2":"c"})"},
        {"{1: 'a'}[1.0]", R"("a")"},
        {"{1: 'a'}[?2].orValue('none')", R"("none")"},
        {"1 in {'1': 0} && !(true in {1: 0})", "true"},
        {"{1: 0, 2: 0}.map(k, k)", R"(["1","2"])"},
    });
    EXPECT_THAT(shown("{1: 0, '1': 0}"), HasSubstr("stands twice"));
}

TEST(expression_language, binds_a_name) {
    expect_shown({
        {"cel.bind(n, $json.name, n + n)", R"("AdaAda")"},
        {"cel.bind(n, 1, cel.bind(n, n + 1, n * 10) + n)", "21"},
        {"[1, 2].map(x, cel.bind(y, x * x, y + x))", "[2,6]"},
        {"cel.bind(n, [1, 2], n)", "[1,2]"},
    });
    EXPECT_THAT(shown("cel.bind('n', 1, 2)"), HasSubstr("begins with a name"));
    EXPECT_THAT(shown("cel.bnd(n, 1, 2)"), HasSubstr("did you mean `cel.bind`?"));
}

TEST(expression_language, chains_optionals) {
    expect_shown({
        {"$json.?missing.deeper.still", "null"},
        {"$json.?missing.deeper.orValue('x')", R"("x")"},
        {"$json.?missing == null", "true"},
        {"$json.?name == 'Ada'", "true"},
        {"$json.?name.upper()", R"("ADA")"},
        {"$json.?none.?deeper", "null"},
        {"$json.tags[?0].orValue('')", R"("b")"},
        {"$json.?name.optMap(n, n.size()).value()", "3"},
        {"$json.?missing.optMap(n, n.size())", "null"},
        {"[?$json.?missing, ?$json.?name, 1]", R"(["Ada",1])"},
        {"{?'a': $json.?missing, ?'b': $json.?name}", R"({"b":"Ada"})"},
        {"[$json.?missing]", "[null]"},
        {"optional.of(1) == optional.of(1.0) && optional.none() != optional.of(null)", "true"},
        {"$json.none.hasValue()", "false"},
    });
    EXPECT_THAT(shown("$json.?missing.value()"), HasSubstr("has no value"));
    EXPECT_THAT(shown("[?$json.name]"), HasSubstr("`?` needs an optional"));
    EXPECT_THAT(shown("$json.?name.optFlatMap(n, n)"), HasSubstr("needs an optional"));
    EXPECT_THAT(shown("$json.?name.first"), HasSubstr("in a value of type string"));
}

TEST(expression_language, reads_the_words_of_cel) {
    expect_shown({
        {"'''it's\n\"so\"'''", R"("it's\n\"so\"")"},
        {R"(r'''\d'\d''' + R"\n")", R"("\\d'\\d\\n")"},
        {R"("\101\x42\u0043")", R"("ABC")"},
        {"0x1F + 0XfU + 2u", "48"},
        {"-0x8000000000000000 == -9223372036854775808", "true"},
        {"1 // one\n + 2 // two", "3"},
        {"{'first name': 1}.`first name`", "1"},
        {"has($json.`first name`)", "false"},
        {"false < true && !(true < true)", "true"},
        {"1e-400", "0"},
        {"{'math': {'abs': 1}, 'round': 2}.math.abs", "1"},
        {"{'math': 1.6}.math.round()", "2"},
        {"[1].map(math, math + 1)", "[2]"},
    });
    EXPECT_THAT(shown("'''a"), HasSubstr("not closed"));
    EXPECT_THAT(shown("0x"), HasSubstr("1 to 16 digits"));
    EXPECT_THAT(shown("0x12345678901234567"), HasSubstr("1 to 16 digits"));
    EXPECT_THAT(shown("$json.``"), HasSubstr("a ` begins a member's name"));
    EXPECT_THAT(shown("math.cosine(1)"), HasSubstr("no function `math.cosine`"));
}

} // namespace
} // namespace postrider::agent::language_test
