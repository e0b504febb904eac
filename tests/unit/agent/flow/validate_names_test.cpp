// What a flow names that is not in it: entries of the configuration, and other flows.
#include "agent/flow/validate/validate.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::flow::validate_names_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using tests::codes;
using tests::flow_text;
using tests::link_text;
using tests::node_text;
using tests::read_flow;

std::vector<problem> validated(std::string_view text, validation_context const& context = {}) {
    static catalog const types = builtin_types();
    return validate(read_flow(text), types, context);
}

TEST(validate_names, looks_up_what_is_named_where_it_is_known) {
    auto const text = flow_text(
        node_text("bot", "telegram.message", R"("bots":["mian"])") + "," +
            node_text("call", "call_flow", R"("flow":"billing")") + "," +
            node_text("model", "model.openai", R"("credential":"sk-live-1234")"),
        link_text("bot", "call")
    );
    EXPECT_THAT(codes(validated(text)), ElementsAre("unreachable /nodes/2 (warning)"));
    auto const found =
        validated(text, {.names = {{"model", {"fast"}}, {"bot", {"main"}}, {"flow", {"orders"}}}});
    EXPECT_THAT(
        codes(found),
        ElementsAre(
            "unknown_bot /nodes/0/parameters/bots/0",
            "unknown_flow /nodes/1/parameters/flow",
            "unknown_model /nodes/2/parameters/credential",
            "unreachable /nodes/2 (warning)"
        )
    );
    EXPECT_EQ(found[0].hint, "did you mean \"main\"?");
    EXPECT_THAT(to_text(found[2]), Not(HasSubstr("sk-live"))) << "somebody's key";
}

TEST(validate_names, knows_the_servers_of_the_configuration) {
    auto const text = flow_text(
        node_text("in", "manual") + "," + node_text("m", "tool.mcp", R"("servers":["fiels"])")
    );

    auto const found = validated(text, {.names = {{"mcp_server", {"files"}}}});

    EXPECT_THAT(
        codes(found), testing::Contains("unknown_mcp_server /nodes/1/parameters/servers/0")
    );
    EXPECT_EQ(found[0].message, "there is no MCP server \"fiels\"");
    EXPECT_EQ(found[0].hint, "did you mean \"files\"?");
}

TEST(validate_names, does_not_repeat_what_stands_in_place_of_a_credentials_name) {
    auto const text = flow_text(
        node_text("in", "manual") + "," +
        node_text("h", "tool.http_request", R"("credential":"sk-live-1234")")
    );

    auto const found = validated(text, {.names = {{"credential", {"shop"}}}});

    EXPECT_THAT(
        codes(found), testing::Contains("unknown_credential /nodes/1/parameters/credential")
    );
    EXPECT_THAT(to_text(found[0]), Not(HasSubstr("sk-live"))) << "somebody's key";
}

TEST(validate_names, a_provider_is_asked_for_its_own_models) {
    auto const text = flow_text(
        node_text("in", "manual") + "," +
        node_text("a", "model.anthropic", R"("credential":"own")") + "," +
        node_text("o", "model.openai", R"("credential":"own")") + "," +
        node_text("c", "model.compatible", R"("credential":"own")")
    );
    validation_context context;
    context.names["model"] = {"default", "own"};
    context.providers = {{"default", {"anthropic"}}, {"own", {"openai", "compatible"}}};
    auto const found = validated(text, context);
    ASSERT_THAT(codes(found), Contains("wrong_provider /nodes/1/parameters/credential"));
    EXPECT_THAT(codes(found), SizeIs(4)) << "one, and three that nothing leads to";
    EXPECT_EQ(found[0].message, "the model \"own\" is of openai or compatible, not of anthropic");
    EXPECT_EQ(found[0].hint, "there is: default");
}

TEST(validate_names, looks_up_the_flow_for_errors) {
    auto const text = flow_text(node_text("in", "manual"), "", R"("error_flow":"alram")");
    EXPECT_THAT(codes(validated(text)), IsEmpty());
    auto const found = validated(text, {.names = {{"flow", {"alarm"}}}});
    ASSERT_THAT(codes(found), ElementsAre("unknown_flow /settings/error_flow"));
    EXPECT_EQ(found[0].hint, "did you mean \"alarm\"?");
}

TEST(validate_names, a_flow_knows_itself_and_is_offered_others) {
    auto const calls = [](std::string_view flow) {
        return flow_text(
            node_text("in", "manual") + "," +
                node_text("call", "call_flow", fmt::format(R"("flow":"{}")", flow)),
            link_text("in", "call")
        );
    };
    validation_context context;
    context.names["flow"] = {"test", "rest"};
    EXPECT_THAT(validated(calls("test"), context), IsEmpty());
    auto const found = validated(calls("tesd"), context);
    ASSERT_THAT(codes(found), ElementsAre("unknown_flow /nodes/1/parameters/flow"));
    EXPECT_EQ(found[0].hint, "there is: rest");
}

} // namespace
} // namespace postrider::agent::flow::validate_names_test
