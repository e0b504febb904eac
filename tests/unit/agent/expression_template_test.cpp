#include "agent/expression/template.hpp"
#include "tests/unit/agent/expression_scope.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::expression_template_test {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;

json_scope const& sample() {
    static json_scope const scope{R"({
        "$json": {"name": "Ada", "price": 12.5, "whole": 3.0, "id": -1001234567890, "none": null,
                  "list": [1, 0.1, "x"], "tricky": "{{ $json.name }}"},
        "$node": {"A": {"json": 1}}
    })"};
    return scope;
}

// The value as JSON, or the errors one below another.
std::string shown(json::value const& parameter, expression_limits limits = {}) {
    auto compiled = parameter_template::compile(parameter, from_ai::refused, limits);
    if (!compiled) {
        std::string all;
        for (auto const& error : compiled.error()) all += "error: " + to_text(error) + "\n";
        return all;
    }
    auto value = compiled->evaluate(sample(), limits);
    return value ? json::serialize(*value) : "error: " + to_text(value.error());
}

struct example {
    std::string_view parameter; // a string
    std::string_view result;
};

// covers: S3.18
TEST(parameter_template, keeps_the_type_of_one_expression) {
    for (auto [parameter, result] : {
             example{"{{ 1 + 1 }}", "2"},
             example{"{{1}}", "1"},
             example{" \n{{ $json.list }}\t ", "[1,1E-1,\"x\"]"},
             example{"{{ $json.id }}", "-1001234567890"},
             example{"{{ null }}", "null"},
             example{"{{ $json.name == 'Ada' }}", "true"},
             example{"{{ {'a': {'b': 1}} }}", "{\"a\":{\"b\":1}}"},
             example{"{{ {'a': {'b': 1}}}}", "{\"a\":{\"b\":1}}"},
         })
        EXPECT_EQ(shown(json::string_view(parameter)), result) << parameter;
}

TEST(parameter_template, inserts_values_into_texts) {
    for (auto [parameter, result] : {
             example{"Hello {{ $json.name }}!", "\"Hello Ada!\""},
             example{"{{ 1 }}{{ 2 }}", "\"12\""},
             example{"{{ 1 }} {{ 2 }}", "\"1 2\""},
             example{"chat:{{ $json.id }}", "\"chat:-1001234567890\""},
             example{"{{ $json.price }} {{ $json.whole }} {{ 0.1 + 0.2 }}", "\"12.5 3 0.3\""},
             example{"[{{ $json.none }}]", "\"[]\""},
             example{"= {{ $json.list }}", "\"= [1,0.1,\\\"x\\\"]\""},
             example{"{{ 'a' }} {{ \"}}\" }}", "\"a }}\""},
             example{"write {{ \"{{\" }} and }}", "\"write {{ and }}\""},
             example{"{ {a} }", "\"{ {a} }\""},
             example{"", "\"\""},
             example{"says {{ $json.tricky }}", "\"says {{ $json.name }}\""},
             example{"{{ $json.tricky }}", "\"{{ $json.name }}\""},
         })
        EXPECT_EQ(shown(json::string_view(parameter)), result) << parameter;
}

TEST(parameter_template, evaluates_strings_at_any_depth) {
    EXPECT_EQ(
        shown(json::parse(R"({"a": [{"b": "{{ 1 }}"}, "x{{ 2 }}"], "{{ 3 }}": 4, "~/": "{{ 5 }}"})")
        ),
        R"({"a":[{"b":1},"x2"],"{{ 3 }}":4,"~/":5})"
    );
}

TEST(parameter_template, tells_all_mistakes_with_their_places) {
    EXPECT_EQ(
        shown(json::parse(R"({"a/b": ["ä {{ 1 + }} {{ $x }}"], "c": "is {{ 1", "d": "{{ 1 }}"})")),
        "error: /a~1b/0: `1 +`, column 9: the expression ends too early\n"
        "error: /a~1b/0: `$x`, column 16: there is no variable `$x`\n"
        "error: /c: ` 1`, column 4: this `{{` is not closed by `}}`\n"
    );
    EXPECT_THAT(shown("{{ 'a }}"), HasSubstr("column 4: the text that begins here is not closed"));
    EXPECT_THAT(shown("{{ }}"), HasSubstr("column 4: the expression ends too early"));
    EXPECT_EQ(
        shown(json::parse(R"(["ok", "Dear {{ $json.nmae }}"])")),
        "error: /1: `$json.nmae`, column 15: there is no member `nmae` here; did you mean `name`?"
    );
}

TEST(parameter_template, knows_what_is_constant) {
    auto const constant = json::parse(R"({"a": ["}} { {", 1.5], "b": null})");
    auto const compiled = parameter_template::compile(constant).value();
    EXPECT_TRUE(compiled.constant());
    EXPECT_EQ(compiled.evaluate(sample()).value(), constant);
    EXPECT_FALSE(parameter_template::compile("{{ 1 }}").value().constant());
}

TEST(parameter_template, tells_what_it_reads) {
    auto const parameter = json::parse(
        R"(["{{ $node['B'].json }} {{ $now }}", "{{ $node['A'].json + $json.x }}",
            "{{ $from_ai('city') }} {{ $from_ai('city') }}", {"n": "{{ $from_ai('n', '', 'integer') }}"}])"
    );
    auto const reads =
        parameter_template::compile(parameter, from_ai::allowed).value().references();
    EXPECT_THAT(reads.nodes, ElementsAre("A", "B"));
    EXPECT_THAT(reads.variables, ElementsAre("$json", "$now"));
    ASSERT_EQ(reads.from_ai.size(), 2u);
    EXPECT_EQ(reads.from_ai[0].key, "city");
    EXPECT_EQ(reads.from_ai[1].type, "integer");
}

TEST(parameter_template, shares_its_limits_among_its_expressions) {
    expression_limits limits;
    limits.steps = 150;
    EXPECT_EQ(shown("{{ range(20).map(i, i).size() }}", limits), "20");
    EXPECT_THAT(
        shown(json::array{"{{ range(20).map(i, i) }}", "{{ range(60).map(i, i) }}"}, limits),
        HasSubstr("error: /1: ")
    );
    limits = {};
    limits.output = 100;
    EXPECT_THAT(
        shown(json::string_view(std::string(90, 'x') + "{{ 'twenty letters or so' }}"), limits),
        HasSubstr("larger than 100 bytes")
    );
}

std::vector<expression_mention> mentions_of(found_expression const& occurrence) {
    return occurrence.read ? occurrence.read->mentions() : std::vector<expression_mention>();
}

TEST(for_each_expression, tells_of_each_with_its_place_until_it_is_told_to_stop) {
    json::object const parameter{
        {"a/b", json::array{"no", "\u00fc {{ $json.x + $node['A'].json }}{{ 1 + }}{{ 2 }}"}},
        {"c", "{{ $from_ai('k') }}"}};
    std::vector<std::string> told;
    auto const look = [&](std::size_t most) {
        told.clear();
        for_each_expression(parameter, from_ai::allowed, [&](found_expression const& occurrence) {
            auto text = occurrence.path;
            if (!occurrence.read) text += " " + to_text(occurrence.read.error());
            for (auto const& each : mentions_of(occurrence))
                text += " " + to_text(occurrence.error_at(each, each.name));
            told.push_back(text);
            return told.size() < most;
        });
        return told;
    };
    EXPECT_THAT(
        look(9),
        ElementsAre(
            "/a~1b/1 `$json.x + $node['A'].json`, column 6: $json"
            " `$json.x + $node['A'].json`, column 16: A",
            "/a~1b/1 `1 +`, column 40: the expression ends too early",
            "/a~1b/1",
            "/c `$from_ai('k')`, column 4: k"
        )
    );
    EXPECT_EQ(look(2).size(), 2u);
}

TEST(parameter_template, inserts_plain_text_into_html) {
    json_scope const scope{R"({"$json": {"name": "<a href='x'>&", "n": 2, "none": null}})"};
    auto const filled = [&](json::value const& parameter) {
        markup_rule const markup{{"/text", "/whole"}, [](json::object const&) {
                                     return std::vector<std::string>{"/text", "/whole"};
                                 }};
        auto compiled = parameter_template::compile(parameter, from_ai::refused, {}, markup);
        return json::serialize(compiled.value().evaluate(scope).value());
    };

    EXPECT_EQ(
        filled({{"text", "<b>{{ $json.name }}</b> {{ $json.n }}"}}),
        R"({"text":"<b>&lt;a href=&#39;x&#39;&gt;&amp;</b> 2"})"
    );
    EXPECT_EQ(
        filled({{"whole", "{{ '<' + $json.name }}"}}),
        R"({"whole":"&lt;&lt;a href=&#39;x&#39;&gt;&amp;"})"
    );
    EXPECT_EQ(filled({{"whole", "{{ $json.none }}"}}), R"({"whole":null})");
    EXPECT_EQ(filled({{"text", "{{ html_raw($json.name) }}"}}), R"({"text":"<a href='x'>&"})");
    EXPECT_EQ(filled({{"text", "{{ html_raw('<i>') + 'x' }}"}}), R"({"text":"&lt;i&gt;x"})");
    EXPECT_EQ(filled({{"other", "{{ $json.name }}"}}), R"({"other":"<a href='x'>&"})");
}

} // namespace
} // namespace postrider::agent::expression_template_test
