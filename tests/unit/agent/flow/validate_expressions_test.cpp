// What the expressions of a flow say that cannot be: where it stands, and that one mistake hides no
// other.
#include "agent/flow/validate/validate.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::flow::validate_expressions_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::codes;
using tests::flow_text;
using tests::link_text;
using tests::node_text;
using tests::read_flow;

std::vector<problem> validated(std::string_view text) {
    static catalog const types = builtin_types();
    return validate(read_flow(text), types);
}

// A trigger, and behind it a node that sets fields.
std::string with_fields(std::string_view fields) {
    return flow_text(
        node_text("in", "manual") + "," +
            node_text("a", "set", fmt::format("\"fields\":{{{}}}", fields)),
        link_text("in", "a")
    );
}

TEST(validate_expressions, tells_the_column) {
    auto const found = validated(with_fields(R"("x":"so {{ 1 + * 2 }}")"));
    ASSERT_THAT(codes(found), ElementsAre("expression /nodes/1/parameters/fields/x"));
    EXPECT_THAT(found[0].message, HasSubstr("column 11"));
    EXPECT_EQ(found[0].node, "a");
}

TEST(validate_expressions, lists_every_one_of_a_node) {
    EXPECT_THAT(
        codes(validated(with_fields(R"("x":"{{ 1 + }}","y":["{{ }}",{"z/z":"{{ $jsn.x }}"}])"))),
        ElementsAre(
            "expression /nodes/1/parameters/fields/x",
            "expression /nodes/1/parameters/fields/y/0",
            "expression /nodes/1/parameters/fields/y/1/z~1z"
        )
    );
}

TEST(validate_expressions, a_wrong_one_hides_no_other_mistake) {
    auto const found = validated(with_fields(
        R"("a":"{{ 1 + }} {{ $node['Nix'].json }}",
           "b":["ü {{ $node['in'].x + $node['Nix'].x + $node['Nix'].y }}"],
           "c":"{{ $from_ai('k') }}",
           "d":"{{ $node['a'] }}")"
    ));
    ASSERT_THAT(
        codes(found),
        ElementsAre(
            "expression /nodes/1/parameters/fields/a",
            "unknown_node /nodes/1/parameters/fields/a",
            "unknown_node /nodes/1/parameters/fields/b/0",
            "from_ai_not_allowed /nodes/1/parameters/fields/c",
            "not_before /nodes/1/parameters/fields/d (warning)"
        )
    );
    EXPECT_THAT(found[1].message, HasSubstr("column 14: there is no node \"Nix\""));
    EXPECT_THAT(found[2].message, HasSubstr("column 22: ")) << "of the first of the two";
    EXPECT_THAT(found[3].message, HasSubstr("`$from_ai('k')`, column 4: "));
}

TEST(validate_expressions, tells_the_column_in_the_lane) {
    auto const found = validated(flow_text(
        node_text("in", "manual"), "", R"("lane":"{{ 1 + }}{{ $json.a + $session.user }}")"
    ));
    ASSERT_THAT(codes(found), ElementsAre("expression /settings/lane", "not_yet /settings/lane"));
    EXPECT_THAT(found[1].message, HasSubstr("column 23: $session is not there yet"));
}

TEST(validate_expressions, warns_of_data_that_become_markup) {
    EXPECT_THAT(
        codes(validated(with_fields(R"("x":"{{ html_raw($json.a) }}","y":"{{ html_raw('<b>') }}")"))
        ),
        ElementsAre("raw_html /nodes/1/parameters/fields/x (warning)")
    );
}

} // namespace
} // namespace postrider::agent::flow::validate_expressions_test
