// What nodes ask of the triggers that start them.
#include "agent/flow/validate/validate.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <fmt/format.h>
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
    auto const problems = validated(hook("a") + "," + hook("b"), "");
    EXPECT_THAT(codes(problems), ElementsAre("path_taken /nodes/1/parameters/path"));
    EXPECT_EQ(problems.at(0).message, R"("a" of this flow has the same path and method)");
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
    auto const with = [&](std::string const& trigger, std::string const& action) {
        return codes(validated(trigger + "," + action, link));
    };
    EXPECT_THAT(with(hook("in"), send()), ElementsAre("unknown_chat /nodes/1/parameters/bot"));
    EXPECT_THAT(
        with(start("schedule", R"("cron":"0 9 * * *")"), send(R"(,"bot":"main")")),
        ElementsAre("unknown_chat /nodes/1/parameters/chat")
    );
    EXPECT_THAT(with(hook("in"), send(R"(,"bot":"main","chat":7)")), IsEmpty());
    for (auto type : {"telegram.message", "chat", "manual"})
        EXPECT_THAT(with(start(type), send()), IsEmpty()) << type;
    auto const react = node_text("send", "telegram.react", R"("emoji":"x")");
    for (auto type : {"telegram.message", "chat"})
        EXPECT_THAT(with(start(type), react), IsEmpty()) << type;
}

TEST(validate_triggers, refuse_a_tool_that_sends_where_nobody_knows_the_chat) {
    auto const with = [](std::string const& trigger, std::string_view more = "") {
        return codes(validated(
            trigger + "," + node_text("ask", "agent", R"("prompt":"x")") + "," +
                node_text("model", "model.rules") + "," +
                node_text("send", "tool.send_message", more),
            link_text("in", "ask") + "," + link_text("model", "ask", R"("type":"ai_model")") + "," +
                link_text("send", "ask", R"("type":"ai_tool")")
        ));
    };
    EXPECT_THAT(with(hook("in")), ElementsAre("unknown_chat /nodes/3/parameters/bot"));
    EXPECT_THAT(with(hook("in"), R"("bot":"main","chat":7)"), IsEmpty());
    EXPECT_THAT(with(node_text("in", "telegram.message")), IsEmpty());
}

TEST(validate_triggers, warns_where_only_some_of_them_tell_the_chat) {
    auto const problems = validated(
        hook("hook") + "," + node_text("heard", "telegram.message") + "," +
            node_text("send", "telegram.send", R"("text":"x")"),
        link_text("hook", "send") + "," + link_text("heard", "send")
    );
    EXPECT_THAT(codes(problems), ElementsAre("unknown_chat /nodes/2/parameters/bot (warning)"));
    EXPECT_EQ(problems.at(0).message, R"(started by "hook" it cannot know where it acts)");
    EXPECT_EQ(problems.at(0).hint, "write bot and chat");
}

TEST(validate_triggers, warn_where_a_wait_holds_up_the_chat) {
    auto const problems_of = [](std::string_view trigger, std::string const& waiting) {
        return validated(node_text("in", trigger) + "," + waiting, link_text("in", "then"));
    };
    auto const wait = [](std::string_view parameters) {
        return node_text("then", "wait", parameters);
    };
    for (auto type : {"telegram.message", "chat"})
        for (auto [field, value] :
             {std::pair("duration", "1h"),
              std::pair("duration", "{{ $json.text }}"),
              std::pair("until", "2030-01-01T00:00:00Z"),
              std::pair("event", "paid")})
            EXPECT_THAT(
                codes(problems_of(type, wait(fmt::format(R"("{}":"{}")", field, value)))),
                ElementsAre(fmt::format("chat_waits /nodes/1/parameters/{} (warning)", field))
            ) << type
              << value;
    EXPECT_THAT(codes(problems_of("telegram.message", wait(R"("duration":"10s")"))), IsEmpty());
    for (auto type : {"manual", "schedule"})
        EXPECT_THAT(
            codes(validated(
                node_text(
                    "in", type, type == std::string("manual") ? "" : R"("cron":"0 9 * * *")"
                ) + "," +
                    wait(R"("duration":"1h")"),
                link_text("in", "then")
            )),
            IsEmpty()
        ) << type;
    auto const hint = problems_of("telegram.message", wait(R"("duration":"1h")")).at(0).hint;
    EXPECT_THAT(hint, testing::HasSubstr("settings.lane"));
}

// In its own chat the next message ends the question.
TEST(validate_triggers, warn_of_a_question_that_is_asked_elsewhere) {
    auto const asked = [](std::string_view more) {
        auto const node = node_text(
            "then",
            "telegram.ask",
            R"("text":"Ship it?","choices":[{"name":"yes"}])" + std::string(more)
        );
        return codes(
            validated(node_text("in", "telegram.message") + "," + node, link_text("in", "then"))
        );
    };
    EXPECT_THAT(asked(""), IsEmpty());
    EXPECT_THAT(
        asked(R"(,"bot":"main","chat":7)"),
        ElementsAre("chat_waits /nodes/1/parameters/chat (warning)")
    );
}

TEST(validate_triggers, say_nothing_of_a_wait_that_holds_up_nobody) {
    auto const with = [](std::string_view settings, std::string_view parameters) {
        auto const text = flow_text(
            node_text("in", "telegram.message") + "," + node_text("then", "wait", parameters),
            link_text("in", "then"),
            settings
        );
        static catalog const types = builtin_types();
        return codes(validate(read_flow(text), types));
    };
    std::string_view const hour = R"("duration":"1h")";
    EXPECT_THAT(with(R"("mailbox":"interrupt")", hour), IsEmpty());
    EXPECT_THAT(with(R"("lane":"{{ $json.message }}")", hour), IsEmpty());
    EXPECT_THAT(with(R"("mailbox":"route")", R"("event":"message")"), IsEmpty());
    EXPECT_THAT(
        with(R"("mailbox":"route")", R"("event":"paid")"),
        ElementsAre("chat_waits /nodes/1/parameters/event (warning)")
    );
    EXPECT_THAT(
        with(R"("mailbox":"coalesce")", hour),
        ElementsAre("chat_waits /nodes/1/parameters/duration (warning)")
    );
}

// Nobody could ever approve the call: the agent hears that it was refused.
TEST(validate_triggers, warn_of_approvals_that_reach_no_person) {
    auto const with = [](std::string const& trigger,
                         std::string_view tool_type,
                         std::string_view tool,
                         std::string_view agent = "",
                         bool has_approvers = false) {
        static catalog const types = builtin_types();
        validation_context context;
        context.has_approvers = has_approvers;
        auto const text = flow_text(
            trigger + "," + node_text("ask", "agent", agent) + "," + node_text("model", "model") +
                "," + node_text("tool", tool_type, tool),
            link_text("in", "ask") + "," + link_text("model", "ask", R"("type":"ai_model")") + "," +
                link_text("tool", "ask", R"("type":"ai_tool")")
        );
        return codes(validate(read_flow(text), types, context));
    };
    std::string_view const risky =
        R"("name":"pay","description":"Pays.","flow":"pay","risk":"high")";
    std::string_view const harmless = R"("name":"pay","description":"Pays.","flow":"pay")";
    auto const warned = ElementsAre("no_approver /nodes/1/parameters/approvers (warning)");

    EXPECT_THAT(with(hook("in"), "tool.flow", risky), warned);
    EXPECT_THAT(with(hook("in"), "tool.http_request", ""), warned);
    EXPECT_THAT(with(hook("in"), "tool.flow", harmless), IsEmpty());
    EXPECT_THAT(with(hook("in"), "tool.calculator", ""), IsEmpty());
    EXPECT_THAT(with(hook("in"), "tool.flow", risky, R"("approvers":[7])"), IsEmpty());
    EXPECT_THAT(with(hook("in"), "tool.flow", risky, "", true), IsEmpty());
    EXPECT_THAT(with(node_text("in", "telegram.message"), "tool.flow", risky), IsEmpty());
}

} // namespace
} // namespace postrider::agent::flow::validate_triggers_test
