// An agent with two models, on the real engine: which one answers stays so in every later run.
#include "tests/integration/agent/approvals_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::model_order_test {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing::SizeIs;

class models_on_engine : public approvals {
protected:
    models_on_engine() {
        graph_ = assistant_graph();
        model.script = {base::error(base::errc::unauthorized, "HTTP 401")};
        json::object const colours{{"question", "Which colour?"}, {"choices", {"Red", "Blue"}}};
        spare.script = {calls({{"ask_user", colours}}), says("Thanks.")};
        serve_both();
    }

    // As [agents.assistant] model = ["default", "spare"].
    void serve_both() {
        services_->agents["assistant"]["backups"] = json::array{"spare"};
        services_->model = [this](flow::model_selection const& selection) {
            bool const is_spare = selection.credential == "spare";
            flow::model_part part;
            part.model = is_spare ? &spare : &model;
            part.prices = {.input = 1, .output = is_spare ? 1000.0 : 1.0};
            return base::result<flow::model_part>(part);
        };
    }
    void restart() {
        w.io.run(engine_node_->engine->drain(5s));
        start();
        serve_both();
    }
    user_id person() {
        return user_id{std::stoll(w.value("select input ->> 'user' from postrider.job limit 1"))};
    }
    std::string steps() {
        return w.value(
            "select string_agg(key || ' ' || outcome, ', ' order by seq) from postrider.step "
            "where key like 'assistant/model%'"
        );
    }

    scripted_model spare{"b/spare"};
};

// covers: X.06 E.08
TEST_F(models_on_engine, go_on_in_another_process_where_the_record_leaves_off) {
    ask();
    EXPECT_EQ(steps(), "assistant/model failed, assistant/model:1.2 done");
    restart();
    model.script = {says("I am back.")};

    EXPECT_EQ(press("1", person()), "taken");
    until_over(1);

    EXPECT_EQ(chat.sent.back().content.text, "Thanks.");
    EXPECT_THAT(model.requests, SizeIs(1)) << "what was left is not asked again";
    ASSERT_THAT(spare.requests, SizeIs(2));
    EXPECT_EQ(spare.requests[1].messages.back().content, "Blue");
    EXPECT_EQ(
        steps(), "assistant/model failed, assistant/model:1.2 done, assistant/model:1.2#2 done"
    );
}

// covers: X.06 X.15
TEST_F(models_on_engine, are_told_apart_by_the_job_the_audit_and_the_cost) {
    spare.script = {says("Hello.")};
    say("Hello");
    until_over(1);

    EXPECT_EQ(
        w.value("select output -> 'nodes' -> 'Assistant' ->> 'answered_by' from postrider.job"),
        "b/spare"
    );
    EXPECT_EQ(w.value("select degraded is null from postrider.job"), "t");
    EXPECT_EQ(
        w.value("select string_agg(concat_ws(' ', subject, detail ->> 'model', detail ->> "
                "'outcome'), ', ' "
                "order by number) from postrider.audit where kind = 'model_call'"),
        "assistant/model scripted/one unauthorized, assistant/model:1.2 b/spare answered"
    );
    EXPECT_EQ(
        w.value(
            "select string_agg(key || ' ' || (usage ->> 'cost_micro'), ', ') from postrider.step "
            "where usage is not null"
        ),
        "assistant/model:1.2 3010"
    );
}

// A plain turn's three commits: nothing is added where the first answers.
TEST_F(models_on_engine, cost_nothing_while_the_first_answers) {
    model.script = {says("Hello.")};
    say("Hello");
    until_over(1);

    EXPECT_EQ(steps(), "assistant/model done");
    EXPECT_THAT(spare.requests, IsEmpty());
}

} // namespace
} // namespace postrider::tests::model_order_test
