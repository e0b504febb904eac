// What nodes ask of the triggers that start them.
#include "agent/flow/validate/validate.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::flow::validate_triggers_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::codes;
using tests::flow_text;
using tests::link_text;
using tests::node_text;
using tests::read_flow;

std::vector<problem> validated(std::string const& nodes, std::string const& links) {
    static catalog const types = builtin_types();
    return validate(read_flow(flow_text(nodes, links)), types);
}

std::string hook(std::string_view name, std::string_view more = "") {
    return node_text(name, "webhook", R"("path":"orders","secret":"s")" + std::string(more));
}

TEST(validate_triggers, refuses_two_webhooks_of_one_path_and_method) {
    auto const found = validated(hook("a") + "," + hook("b"), "");
    EXPECT_THAT(codes(found), ElementsAre("path_taken /nodes/1/parameters/path"));
    EXPECT_EQ(found.at(0).message, R"("a" of this flow has the same path and method)");
    EXPECT_THAT(codes(validated(hook("a") + "," + hook("b", R"(,"method":"PUT")"), "")), IsEmpty());
}

TEST(validate_triggers, refuse_to_act_in_a_chat_that_nobody_knows) {
    auto const start = [](std::string_view type, std::string_view parameters = "") {
        return node_text("in", type, parameters);
    };
    auto const send = [](std::string_view more = "") {
        return node_text("send", "telegram.send", R"("text":"x")" + std::string(more));
    };
    auto const link = link_text("in", "send");
    auto const with = [&](std::string const& from, std::string const& to) {
        return codes(validated(from + "," + to, link));
    };
    EXPECT_THAT(with(hook("in"), send()), ElementsAre("unknown_chat /nodes/1/parameters"));
    EXPECT_THAT(
        with(start("schedule", R"("cron":"0 9 * * *")"), send(R"(,"bot":"main")")),
        ElementsAre("unknown_chat /nodes/1/parameters")
    );
    EXPECT_THAT(with(hook("in"), send(R"(,"bot":"main","chat":7)")), IsEmpty());
    for (auto type : {"telegram.message", "chat", "manual"})
        EXPECT_THAT(with(start(type), send()), IsEmpty()) << type;
    auto const react = node_text("send", "telegram.react", R"("emoji":"x")");
    for (auto type : {"telegram.message", "chat"})
        EXPECT_THAT(with(start(type), react), IsEmpty()) << type;
}

TEST(validate_triggers, warns_where_only_some_of_them_tell_the_chat) {
    auto const found = validated(
        hook("hook") + "," + node_text("heard", "telegram.message") + "," +
            node_text("send", "telegram.send", R"("text":"x")"),
        link_text("hook", "send") + "," + link_text("heard", "send")
    );
    EXPECT_THAT(codes(found), ElementsAre("unknown_chat /nodes/2/parameters (warning)"));
    EXPECT_EQ(found.at(0).message, R"(started by "hook" it cannot know where it acts)");
    EXPECT_EQ(found.at(0).hint, "write bot and chat");
}

} // namespace
} // namespace postrider::agent::flow::validate_triggers_test
