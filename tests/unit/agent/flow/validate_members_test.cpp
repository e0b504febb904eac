// Members that the format does not know.
#include "agent/flow/validate/validate.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::flow::validate_members_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::codes;
using tests::read_flow;

std::vector<problem> validated(std::string_view text) {
    static catalog const types = builtin_types();
    return validate(read_flow(text), types);
}

TEST(validate_members, warns_of_those_that_are_nearly_known) {
    auto const found = validated(R"({
        "format": 1, "name": "f", "Description": "x",
        "settings": {"tiemout": "1h"},
        "nodes": [
            {"id": "in", "name": "In", "type": "manual"},
            {"id": "a", "name": "A", "type": "stop", "parameters": {"message": "m"},
             "Disabled": true, "onError": "continue", "retry": {"tries": 2, "dealy": "1s"}}],
        "connections": [{"from": "in", "to": "a", "ouput": "main"}]})");
    EXPECT_THAT(
        codes(found),
        ElementsAre(
            "unknown_member /Description (warning)",
            "unknown_member /settings/tiemout (warning)",
            "unknown_member /nodes/1/Disabled (warning)",
            "unknown_member /nodes/1/onError (warning)",
            "unknown_member /nodes/1/retry/dealy (warning)",
            "unknown_member /connections/0/ouput (warning)"
        )
    );
    EXPECT_EQ(found[1].hint, "did you mean \"timeout\"?");
    EXPECT_EQ(found[3].hint, "did you mean \"on_error\"?");
    EXPECT_EQ(found[3].node, "A");
}

TEST(validate_members, lets_others_be) {
    EXPECT_THAT(
        codes(validated(R"({
            "format": 1, "name": "f", "$schema": "flow.schema.json", "owner": "eve", "x": {"nam": 1},
            "settings": {"colour": "red", "variables": {"tiemout": 1}},
            "nodes": [{"id": "in", "name": "In", "type": "manual", "size": [1, 2],
                       "acme.name": "x", "parameters": {}}]})")),
        IsEmpty()
    );
}

} // namespace
} // namespace postrider::agent::flow::validate_members_test
