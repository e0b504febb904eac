// What an agent does once the last of its models has failed for good.
#include "agent/flow/model_failure_policy.hpp"
#include "agent/language/notices.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::failing_model_test {

namespace {

namespace json = boost::json;
using base::errc;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

std::string guide(
    std::string_view policy, json::array backups = {"spare"}, json::value schema = nullptr
) {
    json::object parameters{{"when_model_fails", policy}};
    if (schema.is_object()) {
        parameters["output_format"] = "json_schema";
        parameters["schema"] = std::move(schema);
    }
    return flow_builder("guide")
        .trigger("In", "manual")
        .node("Guide", "agent", std::move(parameters))
        .part("Model", "model", {{"backups", std::move(backups)}})
        .part("Sum", "tool.calculator")
        .text();
}

struct failing_model : testing::Test {
    flow_world& world(std::string_view policy) {
        w.emplace(guide(policy));
        w->models["spare"] = {.model = &spare, .breaker = "provider:spare"};
        w->model.script = {base::error(errc::unauthorized, "HTTP 401")};
        spare.script = {base::error(errc::budget, "HTTP 402")};
        return *w;
    }
    queue::outcome ask(std::string text) { return w->run(json::object{{"text", text}}); }
    static std::string text_of(queue::outcome const& outcome) {
        return std::string(outcome.output.at("items").at(0).at("text").as_string());
    }

    scripted_model spare{"b/spare"};
    std::optional<flow_world> w;
};

// covers: S3.17
TEST_F(failing_model, fails_the_node) {
    world("fail");
    auto const ended = ask("What is 6*7?");
    EXPECT_EQ(ended.state, queue::job_state::failed);
    EXPECT_EQ(ended.error.code, errc::budget);
}

// covers: S0.05
TEST_F(failing_model, is_told_in_words) {
    world("tell");
    auto const ended = ask("What is 6*7?");
    EXPECT_EQ(ended.state, queue::job_state::completed);
    EXPECT_THAT(text_of(ended), HasSubstr("spending limit"));
    EXPECT_TRUE(ended.degraded);
}

TEST_F(failing_model, is_told_in_the_language_of_the_message) {
    world("tell");
    EXPECT_THAT(text_of(ask("Wer hat Faust geschrieben?")), HasSubstr("das Ausgabenlimit"));
    world("rules");
    auto const text = text_of(ask("Wer hat Faust geschrieben?"));
    EXPECT_THAT(
        text, AllOf(HasSubstr("das Ausgabenlimit"), HasSubstr("Bis dahin kann ich rechnen"))
    );
}

// The nodes behind it read its `output`.
// covers: S3.02 S3.17
TEST_F(failing_model, fails_the_node_whose_answer_is_json_whatever_the_policy_is) {
    for (auto const* policy : {"fail", "tell", "rules"})
        for (bool const has_model : {true, false}) {
            w.emplace(guide(policy, {}, json::object{{"type", "object"}}));
            w->model.script = {base::error(errc::unauthorized, "HTTP 401")};
            if (!has_model)
                w->adjust = [](agent::flow::node_services& services) {
                    services.model = [](auto const&) -> base::result<agent::flow::model_part> {
                        return base::error(errc::not_found, "no such model");
                    };
                };

            auto const ended = ask("What is 6*7?");

            EXPECT_EQ(ended.state, queue::job_state::failed) << policy << has_model;
        }
}

// covers: S2.02
TEST_F(failing_model, leaves_what_rules_can_do_to_them) {
    world("rules");
    auto const ended = ask("What is 6*7?");
    EXPECT_EQ(text_of(ended), "6*7 = 42");
    EXPECT_EQ(noted(ended, "answered_by"), "rules");
    EXPECT_TRUE(ended.degraded);
    EXPECT_THAT(spare.requests, SizeIs(1));
}

TEST_F(failing_model, is_told_by_the_rules_where_they_do_not_understand) {
    world("rules");
    auto const text = text_of(ask("Hello, who wrote Faust?"));
    EXPECT_THAT(text, AllOf(HasSubstr("spending limit"), HasSubstr("Meanwhile I can calculate")));
    EXPECT_THAT(text, EndsWith(agent::language::notices_in("en").can_calculate));
    EXPECT_THAT(text, Not(HasSubstr("no language model is configured")));
}

TEST_F(failing_model, is_not_waited_for_where_its_breaker_is_open_and_rules_answer) {
    world("rules").closed["provider:spare"] =
        base::error(errc::unavailable, "breaker provider:spare is open");
    EXPECT_EQ(text_of(ask("6*7")), "6*7 = 42");
    EXPECT_THAT(spare.requests, IsEmpty());
}

// A later run says the same, whether the models answer by then or not.
TEST_F(failing_model, stays_failed_in_every_run) {
    bool died = true;
    for (int commit = 1; died; ++commit) {
        auto& run = world("rules");
        run.held_stands = true;
        died = run.run_and_die(commit, json::object{{"text", "What is 6*7?"}});
        if (!died) break;
        run.model.script = {says("I am back.")};
        spare.script = {says("I am back.")};

        auto const ended = run.run();

        EXPECT_EQ(text_of(ended), "6*7 = 42") << commit;
        EXPECT_TRUE(ended.degraded) << commit;
    }
}

// A model that is configured by the next run does not answer beside the rules that have.
// covers: E.08
TEST_F(failing_model, stays_failed_when_another_model_is_there_by_then) {
    scripted_model late{"c/late"};
    int answered = 0;
    bool died = true;
    for (int commit = 1; died; ++commit) {
        auto& run = world("rules");
        died = run.run_and_die(commit, json::object{{"text", "What is 6*7?"}});
        if (!died || !run.record.steps.contains("guide/rules")) continue;
        ++answered;
        run.graph = compiled(guide("rules", {"spare", "late"}));
        run.models["late"] = {.model = &late};

        auto const ended = run.run();

        EXPECT_EQ(text_of(ended), "6*7 = 42") << commit;
        EXPECT_THAT(late.requests, IsEmpty()) << commit;
    }
    EXPECT_GT(answered, 0);
}

TEST(model_failure_policy, has_a_name_for_each) {
    auto const choices = agent::model_failure_choices();
    for (auto const& choice : choices) EXPECT_EQ(agent::chosen(choices, choice.name), choice.value);
    EXPECT_FALSE(agent::chosen(choices, "ignore"));
}

} // namespace

} // namespace postrider::tests::failing_model_test
