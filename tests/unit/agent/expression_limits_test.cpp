// Whatever the expression and the data: parsing and evaluating end, soon, and within their memory.
#include "agent/expression/template.hpp"
#include "tests/unit/agent/expression_scope.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace postrider::agent::expression_limits_test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

class large_scope final : public scope {
public:
    large_scope() {
        boost::json::array numbers;
        for (int i = 0; i < 20'000; ++i) numbers.emplace_back(i % 100);
        json_ = boost::json::object{
            {"numbers", std::move(numbers)},
            {"same", std::string(500'000, 'a')},
            {"needle", std::string(250'000, 'a') + "b"}};
    }
    boost::json::value const* variable(std::string_view name) const override {
        return name == "$json" ? &json_ : nullptr;
    }
    boost::json::value const* node(std::string_view) const override { return nullptr; }

private:
    boost::json::value json_;
};

large_scope const& sample() {
    static large_scope const scope;
    return scope;
}

std::string shown(std::string_view source, expression_limits limits = {}) {
    auto const parsed = expression::parse(source, from_ai::refused, limits);
    if (!parsed) return "error: " + parsed.error().reason;
    auto const value = parsed->evaluate(sample(), limits);
    return value ? boost::json::serialize(*value) : "error: " + value.error().reason;
}

std::string repeated(std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

TEST(expression_limits, bound_length_and_depth) {
    EXPECT_EQ(shown(repeated(" ", 3999) + "1"), "1");
    EXPECT_EQ(shown(repeated(" ", 4000) + "1"), "error: the expression is longer than 4000 bytes");
    for (std::string_view opening :
         {"(",
          "[",
          "{'a':",
          "-",
          "!",
          "1 + (",
          "true ? true :",
          "size(",
          "[1].map(x, ",
          "$json["}) {
        EXPECT_THAT(shown(repeated(opening, 100)), HasSubstr("nested too deeply")) << opening;
        EXPECT_THAT(shown(repeated(opening, 100) + "1"), HasSubstr("nested too deeply")) << opening;
    }
    EXPECT_EQ(shown(repeated("(", 63) + "1" + repeated(")", 63)), "1");
}

// Chains are no nesting.
TEST(expression_limits, let_long_chains_be) {
    EXPECT_EQ(shown("1" + repeated("+1", 1500)), "1501");
    EXPECT_EQ(shown("true" + repeated("&&true", 600)), "true");
    EXPECT_EQ(shown("$json" + repeated(".?x", 1300)), "null");
    EXPECT_EQ(shown("' '" + repeated(".trim()", 500)), "\"\"");
}

TEST(expression_limits, end_every_evaluation) {
    for (std::string_view source : {
             "$json.numbers.map(a, $json.numbers.map(b, a + b))",
             "$json.numbers.all(a, $json.numbers.all(b, $json.numbers.all(c, true)))",
             "range(1000).map(a, $json)",
             "range(100000)",
             "range(90000).map(a, range(90000))",
             "$json.numbers.map(n, n.matches('a') || true)",
             "$json.numbers.exists(n, string(n).matches(string(n) + '+') && false)",
             "[0].map(x, range(50000)).flatten().map(x, [x, x, x, x]).flatten().size()",
             "$json.numbers.map(n, [n, string(n)]).distinct()",
             "range(30000).map(n, n / 7).distinct().size()",
             "range(30000).exists(n, '2026-11-21T08:53:00Z'.getHours('Nowhere') == n)",
             "range(30000).exists(n, {'some': 1, 'keys': 2}.sone == n)",
             "range(1000).exists(n, $json.same.contains($json.needle))",
             "range(1000).map(n, $json.same)",
             "[$json.same, $json.same].map(t, t.lastIndexOf($json.needle))",
             "$json.same.replace('a', $json.same)",
             "$json.numbers.join($json.same)",
             "$json.same.split('')",
             "$json.same.matches('(a?){500}b')",
             "$json.numbers.map(n, 'x').join('').split('').sort()",
             "$json.numbers.reduce(all, n, [], all + [n])",
             "$json.numbers.groupBy(n, string(n) + $json.same)",
             "range(1000).map(n, cel.bind(same, $json.same, same + string(n)))",
             "regex.replace($json.same, 'a', $json.same)",
             "regex.extractAll($json.same, '(a?){100}')",
             "$json.same.captures('((((((((((a*))))))))))')",
             "range(1000).map(n, $json.same.upper())",
             "range(1000).map(n, $json.same.hash('sha512'))",
             "$json.same.repeat(1000)",
             "'x'.padStart(1000000)",
             "$json.numbers.difference($json.numbers.map(n, n + 1000))",
             "$json.numbers.map(n, '2026-01-01'.startOf('day', 'Nowhere') == n || true)",
             "'%s%s'.format([$json.same, $json.same + $json.same])",
             "$json.numbers.map(n, $json.merge($json))",
         }) {
        EXPECT_THAT(
            shown(source),
            AnyOf(
                HasSubstr("takes more than 100000 steps"),
                HasSubstr("larger than 1048576 bytes"),
                HasSubstr("whole number from 0 to 100000")
            )
        ) << source;
    }
}

std::string shown_of(std::string text, std::string_view source) {
    json_scope const names(boost::json::serialize(boost::json::object{{"$json", std::move(text)}}));
    auto const value = expression::parse(source)->evaluate(names);
    return value ? boost::json::serialize(*value) : "error: " + value.error().reason;
}

TEST(expression_limits, let_all_matches_of_a_long_text_be_gone_through) {
    std::string text;
    while (text.size() < (1u << 20) - 16) text += "some words, 17; ";

    EXPECT_EQ(shown_of(text, R"(regex.replace($json, r"[a-z]+", "").size())"), "458745");
    EXPECT_EQ(shown_of(text, R"(regex.extractAll($json, r"(\d+);").size())"), "65535");
    EXPECT_EQ(shown_of(text, R"(regex.replace($json, ",|;", "").size())"), "917490");
}

TEST(expression_limits, count_all_that_a_pattern_may_look_at_beyond_its_matches) {
    std::string const text(1u << 20, 'a');
    for (std::string const pattern : {"a(.*b)?", "a.*b|a", "(?:a.{100}b)*a"})
        EXPECT_THAT(
            shown_of(text, "regex.extractAll($json, '" + pattern + "')"),
            HasSubstr("takes more than 100000 steps")
        ) << pattern;
}

TEST(expression_limits, let_texts_grow_to_their_bound) {
    std::string doubling = "'" + std::string(1000, 'x') + "'";
    for (int i = 0; i < 12; ++i) doubling = "[" + doubling + "].map(t, t + t)[0]";
    EXPECT_EQ(shown(doubling), "error: the value is larger than 1048576 bytes");
    expression_limits limits;
    limits.output = 10;
    EXPECT_EQ(shown("'12345' + '678'", limits), "\"12345678\"");
    EXPECT_THAT(shown("'12345' + '678901'", limits), HasSubstr("larger than 10 bytes"));
    EXPECT_THAT(shown("['123', '456', '789']", limits), HasSubstr("larger than 10 bytes"));
}

TEST(expression_limits, bound_the_depth_of_a_value) {
    expression_limits limits;
    limits.depth = 10;
    EXPECT_EQ(shown("[[[1]]]", limits), "[[[1]]]");
    EXPECT_THAT(
        shown(
            "[1].map(a, [a]).map(a, [a]).map(a, [a]).map(a, [a]).map(a, [a]).map(a, [a])"
            ".map(a, [a]).map(a, [a]).map(a, [a]).map(a, [a])",
            limits
        ),
        HasSubstr("nested deeper than 10")
    );
}

// Nothing makes up for a limit.
TEST(expression_limits, are_not_absorbed) {
    constexpr std::string_view endless = "range(90000).all(x, range(9).all(y, true))";
    EXPECT_THAT(shown(std::string(endless) + " || true"), HasSubstr("steps"));
    EXPECT_THAT(shown(std::string(endless) + " && false"), HasSubstr("steps"));
    EXPECT_THAT(shown("[1].exists(x, " + std::string(endless) + ")"), HasSubstr("steps"));
    EXPECT_THAT(shown("has([" + std::string(endless) + "].x)"), HasSubstr("steps"));
}

TEST(expression_limits, survive_garbage) {
    constexpr std::array<std::string_view, 64> words{
        "$json",
        ".numbers",
        ".same",
        "[0]",
        "[?",
        "]",
        "(",
        ")",
        "{",
        "}",
        "{{",
        "}}",
        "'a'",
        "\"b",
        "1",
        "2.5",
        "9007199254740993",
        "-",
        "+",
        "*",
        "/",
        "%",
        "==",
        "<",
        "in",
        "&&",
        "||",
        "!",
        "?",
        ":",
        ",",
        ".",
        ".?x",
        ".map(x, x",
        ".filter(x, x > 1)",
        "has(",
        "x",
        ".size()",
        "split",
        "[",
        "null",
        "true",
        "r'\\d'",
        ".matches(",
        "\xc3",
        "\u00d7",
        "[?x]",
        "{?'a': x}",
        "//",
        "\n",
        "'''",
        "0x1f",
        "1u",
        ".`a b`",
        "cel.bind(x, ",
        "optional.of(",
        ".orValue(",
        ".reduce(x, y, 1, ",
        ".all(x, y, ",
        "duration('1h')",
        "timestamp(",
        ".format(",
        "uuid()",
        "=>"};
    std::mt19937 chance{20261121};
    for (int round = 0; round < 20'000; ++round) {
        std::string source;
        for (auto left = chance() % 12; left > 0; --left)
            source += std::string(words[chance() % words.size()]) + (chance() % 2 ? " " : "");
        expression_limits limits;
        limits.steps = 2'000;
        EXPECT_FALSE(shown(source, limits).empty());
        auto const compiled =
            parameter_template::compile(boost::json::string_view("a {{ " + source + "}} b"));
        EXPECT_TRUE(compiled || !compiled.error().empty()) << source;
    }
}

} // namespace
} // namespace postrider::agent::expression_limits_test
