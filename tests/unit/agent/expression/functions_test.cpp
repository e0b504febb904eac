// What functions do at their edges; docs/expressions.md has an example of each.
#include "agent/expression/functions.hpp"
#include "tests/unit/agent/expression/shown.hpp"

#include <gmock/gmock.h>

#include <set>

namespace postrider::agent::functions_test {
namespace {

using testing::HasSubstr;

TEST(expression_functions, have_names_and_documentation_of_their_own) {
    std::set<std::string_view> names;
    for (auto const* family : expressions::function_families())
        for (auto const& function : family->functions) {
            EXPECT_TRUE(names.insert(function.name).second) << function.name;
            EXPECT_THAT(expressions::example_of(function.documentation), HasSubstr("such as `"));
        }
}

// covers: S3.18
TEST(expression_functions, capture_and_replace) {
    expect_shown({
        {R"x($json.text.captures(r"order (\d+)")[1])x", R"("17")"},
        {R"('ab'.captures('(a)|(x)'))", R"(["a","a",null])"},
        {R"('ab'.captures('x'))", "null"},
        {R"(regex.extractAll($json.text, r"\d+"))", R"(["17","18"])"},
        {R"(regex.extractAll('äb', ''))", R"(["","",""])"},
        {R"(regex.replace('äb', '', '-'))", R"("-ä-b-")"},
        {R"(regex.replace('a-b-c', '-', '+', 1))", R"("a+b-c")"},
        {R"(regex.replace('ab', '(a)(b)', r"\2\1\\\0"))", R"("ba\\ab")"},
        {R"(regex.extract('ab', 'x').hasValue())", "false"},
        {R"(regex.extract('ab', 'b').value())", R"("b")"},
    });
    EXPECT_THAT(shown(R"(regex.replace('ab', 'a', r"\1"))"), HasSubstr("a group's number"));
    EXPECT_THAT(shown("regex.extract('ab', '(a)(b)')"), HasSubstr("captures()"));
    EXPECT_THAT(shown("'a'.captures('(')"), HasSubstr("not one of RE2"));
}

TEST(expression_functions, know_objects) {
    expect_shown({
        {"{'a': 1}.merge({'b': 2}, {'a': 3})", R"({"a":3,"b":2})"},
        {"{'a': [1]}.entries().map(e, e.key + string(e.value[0]))", R"(["a1"])"},
        {"{'a': 1}.entries().fromEntries()", R"({"a":1})"},
        {"$json.pick(['name', 'missing'])", R"({"name":"Ada"})"},
        {"{'a': 1, 'b': 2}.omit(['a'])", R"({"b":2})"},
        {"{}.keys() + {}.values()", "[]"},
    });
    EXPECT_THAT(shown("[1].keys()"), HasSubstr("must be an object"));
    EXPECT_THAT(shown("[1].fromEntries()"), HasSubstr("no object with a key"));
}

TEST(expression_functions, take_arrays_apart) {
    expect_shown({
        {"[1, 2, 3].slice(-2)", "[2,3]"},
        {"[1, 2, 3].slice(0, -1)", "[1,2]"},
        {"[[1, [2, [3]]], 4].flatten(2)", "[1,2,[3],4]"},
        {"[1, 2, 3].chunk(2)", "[[1,2],[3]]"},
        {"[1, 1, 2].difference([2]) + [1, 2].intersection([2, 2])", "[1,1,2]"},
        {"sets.contains([1], []) && !sets.contains([], [1])", "true"},
        {"sets.equivalent([1, 2], [1]) || sets.intersects([], [])", "false"},
    });
    EXPECT_THAT(shown("[1].slice(-2)"), HasSubstr("whole number from 0 to 1"));
    EXPECT_THAT(shown("[1].chunk(0)"), HasSubstr("at least 1"));
}

TEST(expression_functions, round_as_people_do) {
    expect_shown({
        {"round(2.675, 2)", "2.68E0"},
        {"round(1.005, 2)", "1.01E0"},
        {"round(-2.5)", "-3"},
        {"round(1234, -2)", "1200"},
        {"round(0.1 + 0.2, 10)", "3E-1"},
        {"round(1e300, 15) == 1e300", "true"},
        {"max(9007199254740993, 1)", "9007199254740993"},
        {"[3, 1, 2].min()", "1"},
        {"math.bitAnd(0xff, 0x0f)", "15"},
    });
    EXPECT_THAT(shown("round(1, 0.5)"), HasSubstr("whole number from -15 to 15"));
    EXPECT_THAT(shown("[].max()"), HasSubstr("needs at least one number"));
    EXPECT_THAT(shown("average([])"), HasSubstr("needs at least one number"));
    EXPECT_THAT(shown("math.bitAnd(1.5, 1)"), HasSubstr("whole number of 64 bits"));
    EXPECT_THAT(shown("int(18446744073709551615u)"), HasSubstr("more than 64 bits"));
}

TEST(expression_functions, know_unicode) {
    expect_shown({
        {"'ÄÖÜ Ǆ'.lower()", R"("äöü ǆ")"},
        {"'привет'.upper()", R"("ПРИВЕТ")"},
        {"'élan'.capitalize() + ''.capitalize()", R"("Élan")"},
        {"'\\u00a0\\u2003a b\\u3000'.trim()", R"("a b")"},
        {"'añb'.reverse()", R"("bña")"},
        {"'ä'.padStart(3, '•') + 'abc'.padEnd(2)", R"("••äabc")"},
        {"'%C3%BC+%20'.urlDecode()", R"("ü+ ")"},
    });
    EXPECT_THAT(shown("'%zz'.urlDecode()"), HasSubstr("two hexadecimal digits"));
    EXPECT_THAT(shown("'%C3'.urlDecode()"), HasSubstr("does not encode UTF-8"));
    EXPECT_THAT(shown("'a'.padEnd(5, 'xy')"), HasSubstr("one character"));
    EXPECT_THAT(shown("'abcd'.repeat(1000000)"), HasSubstr("steps"));
}

TEST(expression_functions, encode_and_hash) {
    expect_shown({
        {"base64.decode(base64.encode('größe'))", R"("größe")"},
        {"base64.decode('8J-YgA') + base64.decode('')", R"("😀")"},
        {"'abc'.hash()", R"("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")"},
        {"'abc'.hash('sha1')", R"("a9993e364706816aba3e25717850c26c9cd0d89d")"},
        {"'what do ya want for nothing?'.hmac('Jefe')",
         R"("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")"},
    });
    EXPECT_THAT(shown("'a'.hash('sha3')"), HasSubstr("md5, sha1, sha256, sha512"));
    EXPECT_THAT(shown("base64.decode('/w==')"), HasSubstr("no text of UTF-8"));
}

TEST(expression_functions, format_texts_and_refuse_formats_of_nothing) {
    expect_shown({
        {"'%s is %d'.format([$json.name, 36])", R"("Ada is 36")"},
        {"'%.2f %x %b %%'.format([1.5, 255, 5])", R"("1.50 ff 101 %")"},
        {"'%s'.format([{'b': [1, null], 'a': true}])", R"("{a: true, b: [1, null]}")"},
        {"'plain'.format([])", R"("plain")"},
    });
    EXPECT_THAT(shown("'plain'.format([1])"), HasSubstr("formats nothing"));
    EXPECT_THAT(shown("'%d'.format([1.5])"), HasSubstr("takes no value of type number"));
    EXPECT_THAT(shown("'%5d'.format([1])"), HasSubstr("the format has %s"));
    EXPECT_THAT(shown("'%.999f'.format([1])"), HasSubstr("from 0 to 100"));
    EXPECT_THAT(shown("'%s'.format([])"), HasSubstr("more values"));
}

} // namespace
} // namespace postrider::agent::functions_test
