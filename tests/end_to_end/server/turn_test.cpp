// One turn through the real binary: webhook, inbox, engine, model, Telegram, history.
#include "tests/end_to_end/server/scene.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include <csignal>

namespace postrider::tests::turn_test {

namespace {

using namespace std::chrono_literals;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
namespace json = boost::json;

std::string text_of(json::value const& content) {
    if (content.is_string()) return std::string(content.as_string());
    std::string all;
    for (auto const& block : content.as_array())
        if (auto text = block.as_object().if_contains("text")) all += text->as_string().c_str();
    return all;
}

std::string system_of(fake_request const& request) {
    return text_of(request.body.at("system"));
}

// covers: S0.02 S0.03 S0.04 S0.10 E.02 E.18
TEST(turn, answers_a_message_and_saves_both_sides) {
    scene s;
    s.models.script(fake_reply::saying("Weekly, less in winter."));
    s.product().start();

    auto said = s.say(alice, "How often do I water a fern?");

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    EXPECT_THAT(s.texts(chat_id{base::raw(alice)}), ElementsAre("Weekly, less in winter."));
    ASSERT_TRUE(s.settles());
    EXPECT_EQ(
        s.value("select string_agg(role || ': ' || content || ' ' || chat_id, ' | ' order by "
                "created_at, role desc) "
                "from postrider.messages"),
        "user: How often do I water a fern? 7001 | assistant: Weekly, less in winter. 7001"
    );
    EXPECT_EQ(s.value("select bool_and(length(id) = 21) from postrider.messages"), "t");
    EXPECT_EQ(
        s.value(
            "select disposition from postrider.inbox where update_id = " +
            base::to_string(said.update)
        ),
        "job"
    );
    EXPECT_EQ(
        s.value("select delivery || ' ' || telegram_message_id from postrider.message where role = "
                "'assistant'"),
        "sent " + base::to_string(s.telegram.sent().at(0).message)
    );
    EXPECT_EQ(
        s.value("select string_agg(key || ' ' || outcome, ', ' order by seq) from "
                "postrider.step_timeline"),
        "assistant/model done, reply/send done"
    );
    auto deliveries = s.telegram.record().deliveries;
    ASSERT_EQ(deliveries.size(), 1u);
    EXPECT_EQ(deliveries[0].status, 200);
    EXPECT_EQ(deliveries[0].body, "");
    EXPECT_TRUE(s.telegram.calls("sendChatAction").empty()) << "the model was quick";
    s.check_oracle();
    EXPECT_EQ(s.product().stop(), 0);
}

// covers: S0.07 S0.08 S0.09
TEST(turn, asks_the_default_model_with_a_prompt_built_for_this_call) {
    scene s;
    s.product().start();
    auto today = [] { return base::to_iso8601(base::system_clock().now()).substr(0, 10); };
    auto const before = today();

    s.say(alice, "hello");

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    auto const after = today();
    auto request = s.models.requests().at(0);
    EXPECT_EQ(request.path, "/v1/messages");
    EXPECT_EQ(request.body.at("model").as_string(), "claude-haiku-4-5");
    auto const& asked = request.body.at("messages").as_array().back().at("content").as_array();
    EXPECT_EQ(asked.front().at("text").as_string(), "hello");
    EXPECT_THAT(
        std::string(asked.back().at("text").as_string()),
        AnyOf(HasSubstr(before + "T"), HasSubstr(after + "T"))
    );
    EXPECT_THAT(system_of(request), HasSubstr("calculator"));
    EXPECT_THAT(system_of(request), testing::Not(AnyOf(HasSubstr(before), HasSubstr(after))));
}

// covers: S0.11
TEST(turn, shows_the_model_the_last_twenty_messages) {
    scene s;
    s.product().start();
    for (std::size_t n = 1; n <= 17; ++n) {
        s.say(alice, "message " + std::to_string(n));
        ASSERT_TRUE(s.replies(n)) << s.product().log();
    }

    auto const messages = s.models.requests().at(16).body.at("messages").as_array();

    ASSERT_EQ(messages.size(), 21u) << "twenty of the 32 earlier ones, and the new one";
    EXPECT_EQ(messages.front().at("content").at(0).at("text").as_string(), "message 7");
    EXPECT_EQ(messages.back().at("content").at(0).at("text").as_string(), "message 17");
}

// covers: S0.05
TEST(turn, tells_the_person_when_the_model_fails_and_keeps_the_message) {
    scene s;
    s.models.always(fake_reply::failing(401));
    s.product().start();

    s.say(alice, "are you there?");

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_EQ(
        s.value("select content from postrider.messages where role = 'user'"), "are you there?"
    );
    EXPECT_EQ(
        s.value(
            "select outcome || ' ' || error_class from postrider.step where key = 'assistant/model'"
        ),
        "failed unauthorized"
    );
    EXPECT_FALSE(s.texts().at(0).empty());
    EXPECT_EQ(s.value("select error_class from postrider.degraded_jobs"), "unauthorized");
}

TEST(turn, tries_an_overloaded_model_again) {
    scene s;
    s.models.script(fake_reply::failing(529));
    s.models.script(fake_reply::saying("now it works"));
    s.product().start();

    s.say(alice, "hello");

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    EXPECT_THAT(s.texts(), ElementsAre("now it works"));
    ASSERT_TRUE(s.settles());
    EXPECT_EQ(
        s.value("select string_agg(outcome, ' ' order by attempt) from postrider.step where key = "
                "'assistant/model'"),
        "retry done"
    );
}

// covers: S0.06
TEST(turn, runs_five_tool_calls_and_answers_with_what_it_has) {
    scene s;
    for (int round = 1; round <= 6; ++round) {
        fake_tool_call call;
        call.name = "calculator";
        call.arguments = {{"expression", std::to_string(round) + "*100"}};
        s.models.script(fake_reply::calling({call}));
    }
    s.models.script(fake_reply::saying("That is all I found."));
    s.product().start();

    s.say(alice, "calculate a lot");

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    EXPECT_THAT(s.texts(), ElementsAre("That is all I found."));
    ASSERT_TRUE(s.settles());
    EXPECT_EQ(
        s.value("select count(*) from postrider.step where key like 'assistant/tool:%' and outcome "
                "= 'done'"),
        "5"
    );
    auto last = s.models.requests().back().body;
    EXPECT_EQ(last.at("tool_choice").at("type").as_string(), "none");
    EXPECT_THAT(json::serialize(last), HasSubstr("limit reached"));
    EXPECT_THAT(json::serialize(last), HasSubstr("500"));
}

struct provider_case {
    std::string name;
    environment settings;
    std::string path;
};

class provider : public testing::TestWithParam<provider_case> {};

// covers: S1.06 S2.01
TEST_P(provider, is_swapped_by_configuration_alone) {
    scene s(GetParam().settings);
    // The fake's address is known only now.
    environment more;
    if (GetParam().settings.contains("OPENAI_API_KEY"))
        more["OPENAI_BASE_URL"] = s.models.address() + "/v1";
    fake_tool_call call;
    call.name = "calculator";
    call.arguments = {{"expression", "6*7"}};
    s.models.script(fake_reply::calling({call}));
    s.models.script(fake_reply::saying("It is 42."));
    s.product().start(more);

    s.say(alice, "6*7?");

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    EXPECT_THAT(s.texts(), ElementsAre("It is 42."));
    EXPECT_EQ(s.models.requests().at(0).path, GetParam().path);
    ASSERT_TRUE(s.settles());
    EXPECT_EQ(
        s.value("select result #>> '{}' from postrider.step where key like 'assistant/tool:%'")
            .find("42"),
        0u
    ) << s.value("select result from postrider.step where key like 'assistant/tool:%'");
}

INSTANTIATE_TEST_SUITE_P(
    all,
    provider,
    testing::Values(
        provider_case{"anthropic", {{"ANTHROPIC_MODEL", "claude-sonnet-5"}}, "/v1/messages"},
        provider_case{
            "openai_responses",
            {{"ANTHROPIC_API_KEY", ""}, {"OPENAI_API_KEY", "k"}},
            "/v1/responses"},
        provider_case{
            "openai_chat",
            {{"ANTHROPIC_API_KEY", ""}, {"OPENAI_API_KEY", "k"}, {"OPENAI_API", "chat"}},
            "/v1/chat/completions"}
    ),
    [](auto const& each) { return each.param.name; }
);

TEST(turn, splits_a_reply_that_is_too_long_for_one_message) {
    scene s;
    std::string longer;
    for (int n = 0; n < 1200; ++n)
        longer += "word" + std::to_string(n) + (n % 12 == 11 ? ".\n" : " ");
    s.models.script(fake_reply::saying(longer));
    s.product().start();

    s.say(alice, "tell me a lot");

    ASSERT_TRUE(s.replies(2)) << s.product().log();
    ASSERT_TRUE(s.settles());
    std::string joined;
    for (auto const& part : s.texts()) {
        EXPECT_LE(part.size(), 4096u);
        joined += part;
    }
    EXPECT_THAT(joined, HasSubstr("word0 word1"));
    EXPECT_THAT(joined, HasSubstr("word1199"));
    EXPECT_EQ(
        s.value("select count(*) from postrider.effect where state = 'done'"),
        std::to_string(s.texts().size())
    );
}

// covers: S0.01 E.04
TEST(turn, ignores_a_stranger_silently) {
    scene s;
    s.product().start();

    auto said = s.say(stranger, "let me in");
    s.say(alice, "hello");

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_THAT(s.texts(chat_id{base::raw(stranger)}), ElementsAre());
    EXPECT_EQ(
        s.value(
            "select disposition || ' ' || reason from postrider.inbox where update_id = " +
            base::to_string(said.update)
        ),
        "ignored allowlist"
    );
    EXPECT_EQ(s.value("select refused from postrider.stranger where user_id = 9999"), "1");
    EXPECT_EQ(
        s.value("select count(*) from postrider.message where content like '%let me in%'"), "0"
    );
    EXPECT_EQ(s.value("select count(*) from postrider.job"), "1");
}

TEST(turn, answers_the_edited_text_when_the_edit_comes_before_the_answer) {
    scene s;
    fake_reply held = fake_reply::saying("answer to the first text");
    held.hold = true;
    s.models.script(held);
    s.models.script(fake_reply::saying("answer to the second text"));
    s.product().start();
    telegram::simulated_message message;
    message.from = alice;
    message.text = "what is helo?";
    auto said = s.telegram.say(message);
    ASSERT_TRUE(s.models.wait_for_requests(1, 10s)) << s.product().log();

    message.text = "what is hello?";
    s.telegram.edit(message, said.message);
    ASSERT_TRUE(s.comes_true("select count(*) = 1 from postrider.inbox where disposition = 'event'")
    );
    s.models.release();

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    EXPECT_THAT(s.texts(), ElementsAre("answer to the second text"));
    EXPECT_EQ(
        s.value("select content from postrider.messages where role = 'user'"), "what is hello?"
    );
}

// covers: E.06
TEST(turn, works_by_long_polling_when_there_is_no_public_address) {
    scene s(environment{{"POSTRIDER_PUBLIC_URL", ""}});
    s.product().start();

    s.say(alice, "by polling");
    ASSERT_TRUE(s.replies(1)) << s.product().log();
    s.say(bob, "again");

    ASSERT_TRUE(s.replies(2)) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_TRUE(eventually([&] { return s.telegram.pending() == 0; }))
        << "the offset follows the commits";
    EXPECT_EQ(s.telegram.webhook_url(), "");
    s.check_oracle();
}

TEST(demo, answers_in_the_terminal_without_any_key) {
    test_database database;
    product p({{"DATABASE_URL", database.url()}});

    auto ran = p.run({"demo", "--say", "what is 6*7?"});

    EXPECT_EQ(ran.code, 0) << p.log();
    EXPECT_THAT(ran.out, HasSubstr("42"));
    EXPECT_EQ(database.value("select count(*) from postrider.messages"), "2");
}

// covers: X.16 E.08
TEST(demo, shows_the_answer_that_a_killed_process_left_behind_once) {
    test_database database;
    product p({{"DATABASE_URL", database.url()}});

    auto const killed =
        p.run({"demo", "--say", "what is 6*7?"}, {{"POSTRIDER_FAULTS", "turn.before_send:kill"}});
    p.start();

    ASSERT_TRUE(eventually([&] {
        return database.value("select count(*) from postrider.job where state = 'completed'") ==
               "1";
    })) << p.log();
    EXPECT_EQ(killed.code, 128 + SIGKILL);
    EXPECT_THAT(killed.out, Not(HasSubstr("6*7 = 42")));
    auto const shown = p.printed();
    std::string const answer = "postrider> 6*7 = 42\n";
    auto const at = shown.find(answer);
    ASSERT_NE(at, shown.npos) << shown << p.log();
    EXPECT_EQ(shown.find("6*7 = 42", at + answer.size()), shown.npos) << shown;
    EXPECT_EQ(p.stop(), 0) << p.log();
}

// covers: X.16 S2.07 S2.15
TEST(demo, remembers_tasks_and_an_open_question_across_restarts) {
    test_database database;
    product p({{"DATABASE_URL", database.url()}});

    auto const first = p.run({"demo", "--say", "add buy milk", "--say", "delete task 1"});
    auto const second = p.run({"demo", "--say", "yes", "--say", "what is 12*7?"});

    EXPECT_EQ(first.code, 0) << p.log();
    EXPECT_THAT(first.out, HasSubstr("Created task: buy milk"));
    EXPECT_THAT(first.out, HasSubstr("Are you sure you want to delete task 1? (yes/no)"));
    EXPECT_EQ(second.code, 0) << p.log();
    EXPECT_THAT(second.out, HasSubstr("Deleted task: buy milk"));
    EXPECT_THAT(second.out, HasSubstr("12*7 = 84"));
    EXPECT_EQ(database.value("select count(*) from postrider.task"), "0");
    EXPECT_EQ(
        database.value("select count(distinct update_id) = 4 and max(update_id) > 1000000000000 "
                       "from postrider.inbox"),
        "t"
    ) << "no update is taken for one of an earlier process";
}

} // namespace

} // namespace postrider::tests::turn_test
