// An agent that goes round in circles ends with what it has reached.
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::repetition_run_test {

namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::string circling(int most_repeats, std::string_view policy = "fail") {
    return flow_builder("circling")
        .trigger("In", "manual")
        .agent(
            "Ask",
            {{"prompt", "How much is 6*7?"},
             {"max_repeats", most_repeats},
             {"when_model_fails", policy}}
        )
        .part("Sum", "tool.calculator")
        .text();
}

agent::chat_reply sum(std::string expression) {
    return calls({{"calculator", json::object{{"expression", std::move(expression)}}}});
}

std::vector<std::string> audited_kinds(fake_record const& record) {
    std::vector<std::string> kinds;
    for (auto const& write : record.writes)
        if (write.statement->name.starts_with("record_audit") &&
            write.row.find("loop_stop") != std::string::npos)
            kinds.push_back(write.row);
    return kinds;
}

std::string text_of(queue::outcome const& ended) {
    return std::string(ended.output.at("items").at(0).at("text").as_string());
}

struct repetition_run : testing::Test {
    flow_world w{circling(2)};
};

// covers: X.05
TEST_F(repetition_run, is_asked_once_more_without_tools_and_the_person_is_told) {
    w.model.script = {sum("6*7"), sum("6*7"), says("It is 42.")};

    auto const ended = w.run();

    ASSERT_THAT(w.model.requests, SizeIs(3));
    EXPECT_EQ(w.model.requests[1].choice, agent::tool_choice::automatic);
    EXPECT_EQ(w.model.requests[2].choice, agent::tool_choice::none);
    EXPECT_EQ(
        text_of(ended), "It is 42.\n\n(I stopped here: I kept calling calculator in the same way.)"
    );
    EXPECT_EQ(noted(ended, "stopped_by"), json::value("same_call"));
    ASSERT_TRUE(ended.degraded);
    EXPECT_EQ(ended.degraded->reason, "loop_stopped");
    EXPECT_THAT(ended.degraded->error.detail, HasSubstr("same_call, calculator"));
    ASSERT_THAT(audited_kinds(w.record), SizeIs(1));
    EXPECT_THAT(audited_kinds(w.record)[0], HasSubstr("ask/repetition/2"));
}

TEST_F(repetition_run, lists_what_it_found_out_where_the_model_says_nothing_more) {
    w.model.script = {sum("6*7"), sum("6*7"), base::error(base::errc::refused)};

    auto const ended = w.run();

    EXPECT_EQ(ended.state, queue::job_state::completed);
    EXPECT_THAT(text_of(ended), HasSubstr("- calculator: 42"));
    EXPECT_THAT(text_of(ended), HasSubstr("I stopped here"));
}

TEST_F(repetition_run, is_no_longer_told_of_where_rules_answer_instead) {
    w.graph = compiled(circling(2, "rules"));
    w.model.script = {sum("6*7"), sum("6*7"), base::error(base::errc::refused)};

    auto const ended = w.run();

    EXPECT_EQ(noted(ended, "answered_by"), "rules");
    EXPECT_THAT(text_of(ended), testing::Not(HasSubstr("I stopped here")));
}

TEST_F(repetition_run, is_none_while_something_new_comes) {
    w.model.script = {sum("1+1"), sum("2+2"), sum("3+3"), says("2, 4 and 6")};

    auto const ended = w.run();

    EXPECT_EQ(text_of(ended), "2, 4 and 6");
    EXPECT_FALSE(ended.degraded);
    EXPECT_THAT(audited_kinds(w.record), SizeIs(0));
}

// What was decided stands in the record: the bound may be another by the next run.
// covers: X.05 E.07
TEST_F(repetition_run, ends_alike_wherever_the_process_dies_and_whatever_the_bound_is_by_then) {
    for (int const first : {2, 5}) {
        bool died = true;
        for (int commit = 1; died; ++commit) {
            flow_world world{circling(first)};
            world.held_stands = true;
            world.model.script = {
                sum("6*7"), sum("6*7"), says("It is 42."), says("It is 42."), says("It is 42.")};
            died = world.run_and_die(commit);
            bool const decided = world.record.steps.contains("ask/repetition/2");
            bool const asked = world.record.steps.contains("ask/model#3");
            world.graph = compiled(circling(first == 2 ? 5 : 2));
            auto const ended = world.run();

            EXPECT_EQ(ended.state, queue::job_state::completed) << commit;
            bool const stopped = ended.degraded.has_value();
            EXPECT_TRUE(stopped == decided || !(decided || asked)) << commit;
            EXPECT_LE(audited_kinds(world.record).size(), 1U) << commit;
        }
    }
}

} // namespace

} // namespace postrider::tests::repetition_run_test
