// Parameters that hold expressions and cannot fit, whatever these give.
#include "agent/flow/validate/graph.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::flow::validate_parameters_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::codes;
using tests::flow_text;
using tests::link_text;
using tests::node_text;

catalog const& types() {
    static catalog const built_in = builtin_types();
    return built_in;
}

// Behind a trigger.
std::string with(
    std::string_view type, std::string_view parameters, std::string_view settings = ""
) {
    return flow_text(
        node_text("in", "manual") + "," + node_text("a", type, parameters),
        link_text("in", "a"),
        settings
    );
}

std::vector<problem> published(std::string_view type, std::string_view parameters) {
    return validate(tests::read_flow(with(type, parameters)), types());
}

TEST(validate_parameters, a_text_with_anything_beside_its_expression_is_nothing_but_a_text) {
    auto const problems = published("if", R"("condition":"{{ $json.total }} > 100")");
    ASSERT_THAT(codes(problems), ElementsAre("invalid_parameter /nodes/1/parameters/condition"));
    EXPECT_THAT(problems[0].message, HasSubstr("must be a boolean, not a string"));
    EXPECT_THAT(problems[0].hint, HasSubstr("between {{ and }}"));
    for (auto other :
         {R"("condition":"{{ $json.a }}{{ $json.b }}")", R"("condition":"not {{ $json.a }}")"})
        EXPECT_THAT(codes(published("if", other)), codes(problems)) << other;
}

TEST(validate_parameters, null_is_a_value_that_somebody_is_to_fill_in) {
    auto const problems = published("telegram.send", R"("bot":null,"chat":null,"text":"hi")");
    ASSERT_THAT(
        codes(problems),
        ElementsAre(
            "missing_parameter /nodes/1/parameters/bot",
            "missing_parameter /nodes/1/parameters/chat"
        )
    );
    EXPECT_EQ(problems[1].message, "\"chat\" has no value yet");
    EXPECT_THAT(problems[1].hint, HasSubstr("The chat's id"));
    EXPECT_THAT(
        codes(published("http.request", R"("url":null,"method":null)")),
        testing::UnorderedElementsAre(
            "missing_parameter /nodes/1/parameters/url",
            "missing_parameter /nodes/1/parameters/method"
        )
    ) << "once, though null is neither a text nor one of the words";
    EXPECT_THAT(
        codes(published("switch", R"("rules":[{"name":"a","condition":null}])")),
        ElementsAre("missing_parameter /nodes/1/parameters/rules/0/condition")
    );
    EXPECT_THAT(
        codes(published("http.request", R"("url":"https://a.example","body":null)")), IsEmpty()
    );
}

TEST(validate_parameters, one_expression_may_be_anything) {
    for (auto condition :
         {R"("condition":"{{ $json.total > 100 }}")",
          R"("condition":" {{ $json.total > 100 }}\n")",
          R"("condition":"{{ $json.text == '}}' }}")"})
        EXPECT_THAT(codes(published("if", condition)), IsEmpty()) << condition;
    EXPECT_THAT(codes(published("set", R"("fields":"{{ $json }}")")), IsEmpty());
    EXPECT_THAT(
        codes(published("stop", R"("message":"{{ $json.a }} and {{ $json.b }}")")), IsEmpty()
    );
    EXPECT_THAT(
        codes(published("if", R"("condition":"{{ $json.total")")),
        ElementsAre("expression /nodes/1/parameters/condition")
    ) << "and not what follows from it";
}

TEST(validate_parameters, no_expression_changes_a_list_into_an_object_or_its_length) {
    EXPECT_THAT(
        codes(published("set", R"("fields":["{{ $json.x }}"])")),
        ElementsAre("invalid_parameter /nodes/1/parameters/fields")
    );
    std::string choices;
    for (int i = 0; i < 21; ++i)
        choices += fmt::format(R"({}{{"name":"c{}","text":"{{{{ $json.x }}}}"}})", i ? "," : "", i);
    EXPECT_THAT(
        codes(published(
            "telegram.ask", fmt::format(R"("text":"?","bot":"b","chat":1,"choices":[{}])", choices)
        )),
        ElementsAre("invalid_parameter /nodes/1/parameters/choices")
    );
}

TEST(validate_parameters, a_rule_is_looked_at_behind_many_that_may_fit) {
    std::string rules;
    for (int i = 0; i < 40; ++i)
        rules += fmt::format(
            R"({}{{"name":"r{}","condition":"{{{{ $json.x }}}}{}"}})",
            i ? "," : "",
            i,
            i == 39 ? " > 1" : ""
        );
    EXPECT_THAT(
        codes(published("switch", fmt::format(R"("rules":[{}])", rules))),
        ElementsAre("invalid_parameter /nodes/1/parameters/rules/39/condition")
    );
}

TEST(validate_parameters, lists_whose_names_are_outputs_are_written_out) {
    auto const problems = published("switch", R"("rules":"{{ $vars.rules }}")");
    ASSERT_THAT(codes(problems), ElementsAre("expression_not_allowed /nodes/1/parameters/rules"));
    EXPECT_EQ(problems[0].message, R"("rules" must be written out)");
    EXPECT_THAT(
        codes(published("switch", R"("rules":"all {{ $vars.rules }}")")),
        ElementsAre("expression_not_allowed /nodes/1/parameters/rules")
    ) << "once";
    EXPECT_THAT(
        codes(published("switch", R"("rules":[{"name":"a","condition":true},"{{ $vars.rule }}"])")),
        ElementsAre("expression_not_allowed /nodes/1/parameters/rules/1")
    );
    EXPECT_THAT(
        codes(published(
            "telegram.ask", R"("text":"?","bot":"b","chat":1,"choices":"{{ $vars.choices }}")"
        )),
        ElementsAre("expression_not_allowed /nodes/1/parameters/choices")
    );
}

// A flow is validated again wherever it is made ready to run.
TEST(validate_parameters, of_a_flow_that_was_published_before_are_judged_as_they_were) {
    for (auto const& text :
         {with("if", R"("condition":"{{ $json.total }} > 100")"),
          with("set", R"("fields":["{{ $json.x }}"])"),
          with("switch", R"("rules":"{{ $vars.rules }}")")}) {
        auto const flow = tests::read_flow(text);
        EXPECT_TRUE(any_error(validate(flow, types()))) << text;
        EXPECT_THAT(codes(validate(flow, types(), {}, purpose::running)), IsEmpty()) << text;
    }
    tests::flow_world w(with(
        "switch",
        R"("rules":"{{ $vars.rules }}")",
        R"("variables":{"rules":[{"name":"x","condition":true}]})"
    ));
    EXPECT_EQ(w.ended(w.run(boost::json::object{{"n", 1}})), R"([{"n":1}])");
}

TEST(validate_parameters, warns_of_headers_that_are_not_sent) {
    auto const problems = published(
        "http.respond",
        R"~("headers":{"Set-Cookie":"{{ $json.a }}","Refresh":"0","X-Good":"1","X-Split":"a\nb","Bad name":"x","Location":"javascript:alert(1)","ETag":"{{ $json.b }}"})~"
    );
    EXPECT_THAT(
        codes(problems),
        ElementsAre(
            "header_left_out /nodes/1/parameters/headers/Set-Cookie (warning)",
            "header_left_out /nodes/1/parameters/headers/Refresh (warning)",
            "header_left_out /nodes/1/parameters/headers/X-Split (warning)",
            "header_left_out /nodes/1/parameters/headers/Bad name (warning)",
            "header_left_out /nodes/1/parameters/headers/Location (warning)"
        )
    );
    EXPECT_THAT(
        codes(published("http.respond", R"("headers":{"Location":"{{ $json.to }}"})")), IsEmpty()
    );
}

} // namespace
} // namespace postrider::agent::flow::validate_parameters_test
