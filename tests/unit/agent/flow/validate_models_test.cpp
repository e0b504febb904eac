// Agents that have tools, and models that take none.
#include "agent/flow/validate/validate.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::flow::validate_models_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::codes;
using tests::link_text;
using tests::node_text;

std::vector<problem> validated(
    std::string_view type,
    std::string_view model,
    std::string_view of_tool = "",
    std::string_view of_model = ""
) {
    static catalog const types = builtin_types();
    validation_context context;
    context.toolless_model = [](std::string const& entry, std::string_view name) {
        bool const takes_none = entry == "plain" || name == "o1-mini";
        return takes_none ? "openai/o1-mini" : "";
    };
    auto const text = tests::flow_text(
        node_text("in", "manual") + "," + node_text("Seller", "agent", R"("prompt":"x")") + "," +
            node_text("model", type, model, of_model) + "," +
            node_text("sum", "tool.calculator", "", of_tool),
        link_text("in", "Seller") + "," + link_text("model", "Seller", R"("type":"ai_model")") +
            "," + link_text("sum", "Seller", R"("type":"ai_tool")")
    );
    return validate(tests::read_flow(text), types, context);
}

TEST(validate_models, warns_of_a_model_without_tools_where_the_agent_has_some) {
    auto const problems = validated("model", R"("model":"plain")");
    EXPECT_THAT(
        codes(problems), ElementsAre("model_without_tools /nodes/2/parameters/model (warning)")
    );
    EXPECT_EQ(problems.at(0).node, "model");
    EXPECT_EQ(
        problems.at(0).message, R"(the model openai/o1-mini takes no tools, but "Seller" has some)"
    );
    EXPECT_THAT(
        codes(validated("model", R"("model":"able","backups":["able","plain"])")),
        ElementsAre("model_without_tools /nodes/2/parameters/backups/1 (warning)")
    );
    EXPECT_THAT(
        codes(validated("model.openai", R"("credential":"plain")")),
        ElementsAre("model_without_tools /nodes/2/parameters/credential (warning)")
    );
    EXPECT_THAT(
        codes(validated("model.openai", R"("credential":"able","model":"o1-mini")")),
        ElementsAre("model_without_tools /nodes/2/parameters/model (warning)")
    );
}

TEST(validate_models, says_nothing_where_the_model_takes_tools_or_none_are_used) {
    EXPECT_THAT(validated("model", R"("model":"able")"), IsEmpty());
    EXPECT_THAT(validated("model", R"("model":"plain")", R"("disabled":true)"), IsEmpty());
    EXPECT_THAT(
        validated("model.openai", R"("credential":"able","model":"{{ $vars.model }}")"), IsEmpty()
    ) << "its name is not known yet";
}

} // namespace
} // namespace postrider::agent::flow::validate_models_test
