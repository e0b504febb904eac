// Executions that fail, and what comes of it.
#include "agent/speech/failure_notice.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::failed_execution_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

auto const small = flow_builder("small").trigger("In", "manual").text();

flow_world failing(std::string strategy) {
    return flow_world(flow_builder("failing")
                          .trigger("In", "manual")
                          .node("Read", "set", {{"fields", {{"x", "{{ $json.price }}"}}}})
                          .with("on_error", json::string(strategy))
                          .after("Read", strategy == "error_output" ? "error" : "main")
                          .node("On", "set", {{"fields", {{"went", "on"}}}})
                          .text());
}

// The rows that make jobs.
std::vector<std::string> jobs_of(queue::outcome const& ended) {
    std::vector<std::string> jobs;
    for (auto const& write : ended.writes)
        if (write.row.find(R"("kind":)") != write.row.npos) jobs.push_back(write.row);
    return jobs;
}

// covers: S3.17
TEST(failed_execution, ends_with_the_error_of_a_node_that_fails_it) {
    auto w = failing("fail");
    auto const outcome = w.run();
    EXPECT_EQ(outcome.state, queue::job_state::failed);
    EXPECT_THAT(outcome.error.detail, HasSubstr("Read: "));
    EXPECT_THAT(outcome.error.detail, HasSubstr("there is no member `price`"));
    EXPECT_EQ(outcome.output.at("error").at("node"), "Read");
    EXPECT_THAT(w.told, Contains("! Read invalid"));
    EXPECT_THAT(w.told, Not(Contains("> On")));
}

// Whoever waits for an answer hears that there is none, unless the flow's author wants it so.
// covers: S3.17
TEST(failed_execution, is_told_to_the_person_whose_message_it_was) {
    auto const heard = flow_builder("heard").trigger("In", "telegram.message");
    auto const notices_of = [](std::string const& document) {
        flow_world w(document);
        w.model.script = {base::error(base::errc::refused, "no credit")};
        flow::execution_input input;
        input.flow = "heard";
        input.version = 1;
        input.heard = flow::heard_message{
            {bot_id{1}, chat_id{7}, thread_id{0}}, user_id{7}, telegram_message_id{50}};
        w.others["heard"] = w.graph;
        auto const outcome = w.run(input);
        EXPECT_EQ(outcome.state, queue::job_state::failed);
        return jobs_of(outcome);
    };
    auto const told = notices_of(flow_builder(heard).agent("Does").text());
    ASSERT_THAT(told, SizeIs(1));
    EXPECT_THAT(told.front(), HasSubstr("failure_notice"));
    EXPECT_THAT(
        notices_of(flow_builder(heard).agent("Does", {{"speaks", "tools"}}).text()),
        testing::IsEmpty()
    ) << "what is said there says a tool of the agent";
    EXPECT_THAT(
        notices_of(flow_builder(heard).agent("Does", {{"speaks", "tools"}}).agent("Says").text()),
        SizeIs(1)
    ) << "one of its agents speaks with text";
    auto const meant =
        notices_of(flow_builder(heard).node("Does", "stop", {{"message", "no stock"}}).text());
    EXPECT_THAT(meant, SizeIs(0));
}

TEST(failed_execution, is_told_in_the_language_of_the_message) {
    struct {
        std::string_view said, told;
    } const cases[]{
        {"Wer hat Faust geschrieben?", "schiefgegangen"},
        {"Кто написал Фауста?", "Что-то пошло не так"},
        {"Who wrote Faust?", "Something went wrong"},
        {"👍", "Something went wrong"},
    };
    for (auto const& [said, told] : cases) {
        flow_world w(flow_builder("heard").trigger("In", "telegram.message").agent("Does").text());
        w.model.script = {base::error(base::errc::refused, "no credit")};
        w.table.add(
            {{"lane_id", 1},
             {"job_id", 100},
             {"conversation_id", 5},
             {"position", 0},
             {"role", "user"},
             {"content", said},
             {"id", "question"}}
        );
        flow::execution_input input;
        input.flow = "heard";
        input.version = 1;
        input.heard = flow::heard_message{
            {bot_id{1}, chat_id{7}, thread_id{0}}, user_id{7}, telegram_message_id{50}};
        w.others["heard"] = w.graph;

        auto const notices = jobs_of(w.run(input));

        ASSERT_THAT(notices, SizeIs(1)) << said;
        EXPECT_THAT(notices.front(), HasSubstr(told)) << said;
    }
}

// covers: S3.17
TEST(failed_execution, carries_a_failure_on_where_the_node_says_so) {
    for (auto const* strategy : {"continue", "error_output"}) {
        auto w = failing(strategy);
        auto const outcome = w.run();
        EXPECT_EQ(outcome.state, queue::job_state::completed) << strategy;
        auto const& item = outcome.output.at("items").at(0);
        EXPECT_EQ(item.at("error").at("node"), "Read");
        EXPECT_EQ(item.at("error").at("code"), "invalid");
        EXPECT_EQ(item.at("went"), "on");
    }
}

// covers: S3.17
TEST(failed_execution, starts_the_error_flow_with_what_failed) {
    flow_world w(flow_builder("broken")
                     .settings({{"error_flow", "alarm"}})
                     .trigger("In", "manual")
                     .node("Stop", "stop", {{"message", "no stock"}})
                     .text());
    w.others["alarm"] = compiled(small);
    auto const started = jobs_of(w.run());
    ASSERT_THAT(started, SizeIs(1));
    EXPECT_THAT(started[0], HasSubstr("alarm"));
    EXPECT_THAT(started[0], HasSubstr("no stock"));
}

TEST(failed_execution, of_an_error_flow_that_fails_starts_nothing_more) {
    flow_world w(flow_builder("alarm")
                     .settings({{"error_flow", "alarm"}})
                     .trigger("In", "manual")
                     .node("Stop", "stop", {{"message", "broken, too"}})
                     .text());
    w.others["alarm"] = compiled(small);
    EXPECT_THAT(jobs_of(w.run()), SizeIs(1));
    flow::execution_input input;
    input.flow = "alarm";
    input.version = 1;
    input.after_failure = true;
    EXPECT_THAT(jobs_of(w.run(input)), SizeIs(0));
}

// What the library answers for the flow of a job.
queue::outcome run_found(base::error why) {
    flow_world w(small);
    auto services = assistant_services(w.table, w.chat, w.clock, w.random, {.model = &w.model});
    services.find_flow = [&why](
                             std::string, std::int64_t
                         ) -> base::awaitable<base::result<std::shared_ptr<flow::graph const>>> {
        return
            [](base::error e) -> base::awaitable<base::result<std::shared_ptr<flow::graph const>>> {
                co_return e;
            }(why);
    };
    flow::execution_input input;
    input.flow = "small";
    input.version = 1;
    w.job.input = to_json(input);
    fake_workflow environment{w.job, w.record};
    queue::workflow steps(environment);
    auto const kinds = flow::make_executions(services);
    return w.io.run(kinds.front().run(steps));
}

// What is said where no turn began looks for no answer of one.
TEST(failed_execution, a_notice_without_a_turn_is_sent_as_it_is) {
    flow_world w(small);
    w.job.input = {{"bot", 1}, {"chat", 5}, {"message", 50}, {"text", "Too many."}};
    fake_workflow environment{w.job, w.record};
    queue::workflow steps(environment);

    auto const outcome =
        w.io.run(agent::make_failure_notices(w.chat, w.table, base::system_random()).run(steps));

    EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    ASSERT_EQ(w.chat.sent.size(), 1u);
    EXPECT_EQ(w.chat.sent[0].content.text, "Too many.");
    EXPECT_EQ(w.table.reads, 0);
    auto const added = std::ranges::find_if(w.record.writes, [](auto const& write) {
        return write.statement->name == "add_message_from_beside";
    });
    ASSERT_NE(added, w.record.writes.end()) << "what is said to a chat is in its history";
    EXPECT_THAT(added->row, HasSubstr(R"("lane_key":"1:5:0")"));
    EXPECT_THAT(added->row, HasSubstr(R"("content":"Too many.")"));
}

TEST(failed_execution, is_left_to_another_node_unless_there_is_no_such_flow) {
    EXPECT_EQ(run_found(base::errc::not_found).state, queue::job_state::failed);
    EXPECT_THROW(run_found({base::errc::refused, "a newer node type"}), queue::not_here);
    EXPECT_THROW(run_found(base::errc::unavailable), queue::not_here);
}
} // namespace

} // namespace postrider::tests::failed_execution_test
