// The tool send_message: what an agent says while it works.
#include "base/json/json.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::send_message_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string talker(json::object settings = {}) {
    return flow_builder("talker")
        .trigger("In", "telegram.message")
        .agent("Guide", {{"prompt", "{{ $json.text }}"}, {"speaks", "tools"}})
        .part("Memory", "memory.conversation")
        .part("Send", "tool.send_message", std::move(settings))
        .text();
}

struct send_message : testing::Test {
    send_message() {
        w.model.script = {
            calls({{"send_message", {{"text", "One."}}}, {"send_message", {{"text", "Two."}}}}),
            says("Nobody sees this.")};
    }

    queue::outcome run() {
        flow::execution_input input;
        input.heard =
            flow::heard_message{{bot_id{1}, chat_id{5}}, user_id{7}, telegram_message_id{50}};
        input.silent = silent;
        return w.run(input);
    }
    std::vector<std::string> sent() const {
        std::vector<std::string> texts;
        for (auto const& message : w.chat.sent) texts.push_back(message.content.text);
        return texts;
    }
    // What the model read of the n-th of its last two calls.
    std::string told(int n) {
        auto const& messages = w.model.requests.at(1).messages;
        return (messages.end() - 2 + n)->content;
    }
    // "role: content (delivery)" of what stands behind the question.
    static std::vector<std::string> history(flow_world const& of) {
        std::vector<std::string> all;
        for (auto const& row : of.table.in_order()) {
            auto line = std::string(row.at("role").as_string()) + ": " +
                        std::string(row.at("content").as_string());
            auto const* delivery = row.if_contains("delivery");
            if (delivery && delivery->is_string())
                line += " (" + std::string(delivery->get_string()) + ")";
            all.push_back(std::move(line));
        }
        return all;
    }

    static auto whole_history() {
        return ElementsAre(
            "assistant: ",
            HasSubstr("tool: Sent as message 100"),
            HasSubstr("tool: Sent as message 100"),
            "assistant: One. (sent)",
            "assistant: Two. (sent)"
        );
    }

    flow_world w{talker()};
    bool silent = false;
};

// covers: S4.18
TEST_F(send_message, says_several_things_in_their_order_and_nothing_else) {
    auto const outcome = run();

    ASSERT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    EXPECT_FALSE(outcome.degraded);
    EXPECT_THAT(sent(), ElementsAre("One.", "Two."));
    EXPECT_EQ(told(0), "Sent as message 1001.");
    EXPECT_EQ(told(1), "Sent as message 1002.");
}

TEST_F(send_message, stands_in_the_history_behind_the_results_of_the_calls) {
    run();

    EXPECT_THAT(history(w), whole_history());
}

TEST_F(send_message, keeps_to_itself_what_the_model_writes_beside_it) {
    auto reply = calls({{"send_message", {{"text", "One."}}}});
    reply.text = "What do they want?";
    w.model.script = {reply, says("")};

    run();

    EXPECT_THAT(history(w), testing::Not(testing::Contains(HasSubstr("What do they want?"))));
    EXPECT_EQ(w.model.requests.at(1).messages.at(1).content, "What do they want?")
        << "the model goes on from it";
}

// covers: S4.18
TEST_F(send_message, is_sent_once_whatever_happens_to_the_process) {
    for (int commit = 1;; ++commit) {
        flow_world fresh(talker());
        fresh.model.script = w.model.script;
        flow::execution_input input;
        input.heard =
            flow::heard_message{{bot_id{1}, chat_id{5}}, user_id{7}, telegram_message_id{50}};
        fresh.job.input = flow::to_json(input);
        bool const died = fresh.run_and_die(commit);
        fresh.model.script = w.model.script;
        auto const answered = std::ranges::count_if(fresh.record.steps, [](auto const& step) {
            return step.first.starts_with("guide/model");
        });
        fresh.model.script.erase(fresh.model.script.begin(), fresh.model.script.begin() + answered);
        auto const outcome = fresh.run(input);
        ASSERT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
        std::vector<std::string> texts;
        for (auto const& message : fresh.chat.sent) texts.push_back(message.content.text);
        // One may have been under way.
        EXPECT_LE(texts.size(), 3u) << "at commit " << commit;
        texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
        EXPECT_THAT(texts, ElementsAre("One.", "Two.")) << "at commit " << commit;
        EXPECT_THAT(history(fresh), whole_history()) << "at commit " << commit;
        if (!died) break;
    }
}

TEST_F(send_message, serves_from_the_record_what_was_sent) {
    run();
    w.model.script = {};

    auto const again = run();

    EXPECT_EQ(again.state, queue::job_state::completed) << again.error.detail;
    EXPECT_THAT(sent(), SizeIs(2));
}

// The record has its steps, whatever became of the tool.
TEST_F(send_message, serves_it_where_its_node_is_gone) {
    run();
    w.graph = compiled(flow_builder("talker")
                           .trigger("In", "telegram.message")
                           .agent("Guide", {{"prompt", "{{ $json.text }}"}, {"speaks", "tools"}})
                           .part("Memory", "memory.conversation")
                           .text());

    auto const again = run();

    EXPECT_EQ(again.state, queue::job_state::completed) << again.error.detail;
    EXPECT_THAT(sent(), SizeIs(2));
}

TEST_F(send_message, tells_the_model_what_was_not_sent_and_goes_on) {
    w.chat.failures = {base::error(base::errc::refused, "the bot was blocked")};

    auto const outcome = run();

    EXPECT_THAT(sent(), ElementsAre("Two."));
    EXPECT_THAT(told(0), HasSubstr("the bot was blocked"));
    ASSERT_TRUE(outcome.degraded);
    EXPECT_EQ(outcome.degraded->reason, "undelivered");
    EXPECT_THAT(history(w), testing::Contains("assistant: One. (failed)"));
}

TEST_F(send_message, goes_where_its_node_says_and_stands_in_the_history_there) {
    w.graph = compiled(talker({{"chat", 77}}));

    run();

    ASSERT_THAT(w.chat.sent, SizeIs(2));
    EXPECT_EQ(w.chat.sent[0].to.chat, chat_id{77});
    std::vector<std::string> keys;
    for (auto const& write : w.record.writes)
        if (write.statement->name == "add_message_from_beside")
            keys.emplace_back(base::parse_json(write.row)->at("lane_key").as_string());
    EXPECT_THAT(keys, ElementsAre("1:77:0", "1:77:0"));
}

TEST_F(send_message, answers_the_message_that_the_model_names) {
    w.model.script = {
        calls({{"send_message", {{"text", "One."}, {"reply_to_message_id", 42}}}}), says("")};

    run();

    EXPECT_EQ(w.chat.sent.at(0).reply_to, telegram_message_id{42});
}

TEST_F(send_message, of_a_silent_fork_sends_nothing) {
    silent = true;

    run();

    EXPECT_THAT(sent(), IsEmpty());
    EXPECT_THAT(told(0), HasSubstr("Not sent"));
}

TEST_F(send_message, that_is_no_message_is_refused) {
    json::object const no_text{{"text", " \n"}};
    json::object const no_number{{"text", "One."}, {"reply_to_message_id", 1e30}};
    json::object const other_chat{{"text", "One."}, {"chat", 8}};
    w.model.script = {
        calls({{"send_message", no_text}, {"send_message", no_number}, {"send_message", other_chat}}
        ),
        says("")};

    EXPECT_EQ(run().state, queue::job_state::completed);

    EXPECT_THAT(sent(), IsEmpty());
    EXPECT_THAT(told(-1), HasSubstr("text"));
    EXPECT_THAT(told(0), HasSubstr("reply_to"));
    EXPECT_THAT(told(1), HasSubstr("chat"));
}

// Of a flow without a chat, whatever was published.
TEST_F(send_message, that_has_no_chat_takes_no_place_in_the_history) {
    auto const document = flow_builder("talker")
                              .trigger("In", "manual")
                              .agent("Guide", {{"prompt", "Hm."}})
                              .part("Memory", "memory.conversation")
                              .part("Send", "tool.send_message")
                              .text();
    for (int commit = 1;; ++commit) {
        flow_world fresh(document);
        fresh.model.script = {
            calls({{"send_message", {{"text", "One."}}}}),
            calls({{"send_message", {{"text", "Two."}}}}),
            says("I cannot.")};
        auto const script = fresh.model.script;
        bool const died = fresh.run_and_die(commit);
        auto const answered = std::ranges::count_if(fresh.record.steps, [](auto const& step) {
            return step.first.starts_with("guide/model");
        });
        fresh.model.script = {script.begin() + answered, script.end()};
        if (died) fresh.run();
        std::vector<std::string> roles;
        for (auto const& row : fresh.table.in_order())
            roles.emplace_back(row.at("role").as_string());
        EXPECT_THAT(
            roles, ElementsAre("user", "assistant", "tool", "assistant", "tool", "assistant")
        ) << "at commit "
          << commit;
        if (!died) break;
    }
}

} // namespace
} // namespace postrider::tests::send_message_test
