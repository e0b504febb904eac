// The models of an agent in their order: which one answers, and that every later run comes to the same.
#include "agent/flow/parts/model_step.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::model_order_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using base::errc;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

// A node with a backup, and another node behind it.
auto const guide =
    flow_builder("guide")
        .trigger("In", "manual")
        .node("Guide", "agent")
        .part("Near", "model", {{"model", "near"}, {"backups", json::array{"spare"}}})
        .part("Far", "model", {{"model", "far"}})
        .part("Sum", "tool.calculator")
        .part("Memory", "memory.window", {{"session_id", "diary"}})
        .text();

base::error broken() {
    return {errc::unauthorized, "HTTP 401"};
}

auto sum() {
    return calls({{"calculator", {{"expression", "6*7"}}}});
}

// What the memory's first look found.
auto const the_look = StartsWith("guide/recall-seen-");

struct model_order : testing::Test {
    model_order() {
        w.models["near"] = {.model = &near, .breaker = "provider:near"};
        w.models["spare"] = {.model = &spare, .breaker = "provider:spare"};
        w.models["far"] = {.model = &far, .breaker = "provider:far"};
    }

    queue::outcome ask() { return w.run(json::object{{"text", "What is 6*7?"}}); }
    static std::string text_of(queue::outcome const& outcome) {
        return std::string(outcome.output.at("items").at(0).at("text").as_string());
    }
    std::vector<std::string> steps() const {
        std::vector<std::string> names;
        for (auto const& [name, value] : w.record.steps)
            names.push_back((value ? "" : "! ") + name);
        return names;
    }

    scripted_model near{"a/near"};
    scripted_model spare{"b/spare"};
    scripted_model far{"c/far"};
    flow_world w{guide};
};

TEST_F(model_order, costs_nothing_while_the_first_answers) {
    near.script = {says("42")};
    auto const ended = ask();
    EXPECT_EQ(text_of(ended), "42");
    EXPECT_THAT(steps(), ElementsAre("guide/model", the_look));
    EXPECT_THAT(
        w.log, ElementsAre(StartsWith("value guide/recall-seen"), "step guide/model", "commit")
    );
    EXPECT_TRUE(noted(ended, "answered_by").is_null());
}

// covers: X.06
TEST_F(model_order, the_next_answers_where_one_fails_for_good) {
    near.script = {broken()};
    spare.script = {says("42")};
    auto const ended = ask();
    EXPECT_EQ(text_of(ended), "42");
    EXPECT_EQ(noted(ended, "answered_by"), "b/spare");
    EXPECT_FALSE(ended.degraded);
    EXPECT_THAT(steps(), ElementsAre("! guide/model", "guide/model:1.2", the_look));
    EXPECT_THAT(far.requests, IsEmpty());
}

// covers: X.06
TEST_F(model_order, tries_a_model_again_before_it_is_left) {
    near.script = {base::error(errc::overloaded), says("42")};
    EXPECT_EQ(text_of(ask()), "42");
    EXPECT_THAT(steps(), ElementsAre("guide/model", the_look));
}

// covers: X.06
TEST_F(model_order, the_next_answers_where_a_breaker_is_open) {
    w.closed["provider:near"] = base::error(errc::unavailable, "breaker provider:near is open");
    w.closed["provider:spare"] = base::error(errc::unavailable, "breaker provider:spare is open");
    far.script = {says("42")};
    EXPECT_EQ(text_of(ask()), "42");
    EXPECT_THAT(near.requests, IsEmpty());
    EXPECT_THAT(
        steps(), ElementsAre("! guide/model", "! guide/model:1.2", "guide/model:2", the_look)
    );
}

// What was asked and said so far goes along, and the first is not asked again.
TEST_F(model_order, the_next_goes_on_with_the_turn) {
    near.script = {sum(), broken()};
    spare.script = {sum(), says("42")};
    EXPECT_EQ(text_of(ask()), "42");
    ASSERT_THAT(spare.requests, SizeIs(2));
    EXPECT_EQ(spare.requests[0].messages.back().content, "42");
    EXPECT_THAT(near.requests, SizeIs(2));
}

TEST_F(model_order, fails_by_the_word_of_the_last) {
    near.script = {broken()};
    spare.script = {base::error(errc::budget, "HTTP 402")};
    far.script = {base::error(errc::not_found, "no such model")};
    auto const ended = ask();
    EXPECT_EQ(ended.state, queue::job_state::failed);
    EXPECT_THAT(ended.error.detail, HasSubstr("no such model"));
}

TEST_F(model_order, pays_each_model_its_own_price) {
    w.models["spare"].prices = {.input = 2, .output = 10};
    near.script = {broken()};
    spare.script = {says("42")};
    auto const ended = ask();
    EXPECT_EQ(w.record.paid.cost_micro, 10 * 2 + 3 * 10);
    EXPECT_DOUBLE_EQ(noted(ended, "cost").as_double(), (10 * 2 + 3 * 10) / 1e6);
}

TEST_F(model_order, leaves_out_what_cannot_be_had) {
    w.graph = compiled(flow_builder("guide")
                           .trigger("In", "manual")
                           .node("Guide", "agent")
                           .part("Near", "model", {{"model", "{{ $json.nothing.there }}"}})
                           .part("Far", "model", {{"model", "far"}})
                           .text());
    far.script = {says("42")};
    auto const ended = ask();
    EXPECT_EQ(text_of(ended), "42");
    EXPECT_THAT(steps(), ElementsAre("guide/model:2"));
    EXPECT_EQ(noted(ended, "answered_by"), "c/far");
}

TEST_F(model_order, tells_the_log_no_words_of_a_provider) {
    near.script = {base::error(errc::budget, "HTTP 400: “Your credit balance is too low”")};
    spare.script = {says("42")};
    testing::internal::CaptureStderr();
    ask();
    auto const log = testing::internal::GetCapturedStderr();
    EXPECT_THAT(log, HasSubstr("turn.next_model"));
    EXPECT_THAT(log, HasSubstr("b/spare"));
    EXPECT_THAT(log, Not(HasSubstr("credit")));
}

// Whatever the breakers do meanwhile, the record decides.
// covers: E.08
TEST_F(model_order, every_run_comes_to_the_same_model) {
    bool died = true;
    for (int commit = 1; died; ++commit) {
        flow_world run(guide);
        run.models = w.models;
        run.held_stands = commit % 2 == 0;
        near.script = {broken(), broken()};
        spare.script = {sum(), base::error(errc::budget), base::error(errc::budget)};
        far.script = {says("42"), says("42")};
        spare.requests.clear();
        far.requests.clear();
        died = run.run_and_die(commit, json::object{{"text", "What is 6*7?"}});
        if (!died) break;
        auto const stood = run.record.steps;
        near.script = {says("another")};
        spare.script.clear();
        spare.script = {sum(), base::error(errc::budget)};
        if (stood.contains("guide/model:1.2")) spare.script.pop_front();
        far.script = {says("42")};

        auto const ended = run.run();

        ASSERT_EQ(ended.state, queue::job_state::completed) << commit << ended.error.detail;
        EXPECT_EQ(text_of(ended), stood.contains("guide/model") ? "42" : "another") << commit;
        for (auto const& [name, value] : stood)
            EXPECT_EQ(run.record.steps.at(name).has_value(), value.has_value()) << name;
    }
}

// By the next run the operator has taken out the model that answers, or it can no longer be made.
// covers: E.08
TEST_F(model_order, what_a_model_said_stays_when_it_is_gone) {
    std::string without_backups(guide);
    without_backups.replace(without_backups.find(R"(["spare"])"), 9, "[]");
    int gone = 0;
    for (bool const is_listed : {true, false})
        for (bool const held_stands : {true, false}) {
            bool died = true;
            for (int commit = 1; died; ++commit) {
                flow_world run(guide);
                run.models = w.models;
                run.held_stands = held_stands;
                near.script = {broken()};
                spare.script = {sum(), says("42")};
                far.script = {};
                died = run.run_and_die(commit, json::object{{"text", "What is 6*7?"}});
                if (!died || !run.record.steps.contains("guide/model:1.2")) continue;
                ++gone;
                if (is_listed)
                    run.models.erase("spare");
                else
                    run.graph = compiled(without_backups);
                near.script = {};
                far.script = {says("It is 42.")};
                bool const was_over = run.record.steps.contains("guide/model:1.2#2");

                auto const ended = run.run();

                ASSERT_EQ(ended.state, queue::job_state::completed) << commit << ended.error.detail;
                EXPECT_EQ(text_of(ended), was_over ? "42" : "It is 42.") << commit;
            }
        }
    EXPECT_GE(gone, 4) << "it was gone behind the tool's call and behind the answer, each way";
}

TEST(model_step, names_stay_what_records_have) {
    EXPECT_EQ(flow::model_step(1, 1), "model");
    EXPECT_EQ(flow::model_step(1, 2), "model:1.2");
    EXPECT_EQ(flow::model_step(2, 1), "model:2");
    for (int node : {1, 2, 5})
        for (int entry : {1, 3})
            EXPECT_EQ(flow::node_of_model_step(flow::model_step(node, entry) + "#7"), node);
    EXPECT_FALSE(flow::node_of_model_step("models"));
    EXPECT_FALSE(flow::node_of_model_step("tool:1"));
}

} // namespace

} // namespace postrider::tests::model_order_test
