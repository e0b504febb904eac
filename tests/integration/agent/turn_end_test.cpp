// A turn that its person ends while it waits or while its model thinks, on the real engine.
#include "agent/flow/start/command_start.hpp"
#include "agent/flow/start/execution_intake.hpp"
#include "agent/language/command.hpp"
#include "tests/integration/agent/approvals_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::turn_end_test {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string const& in_english(agent::command::text said) {
    return agent::language::notices_in("en").*said;
}

// The slots of the engine that runs the turns.
class engine_slots final : public flow::execution_slots {
public:
    explicit engine_slots(queue::engine& engine) : engine_(engine) {}

    std::optional<node_id> try_reserve() override { return engine_.try_reserve(); }
    void start(queue::enqueued const& enqueued, queue::job job) override {
        engine_.start_leased(std::move(job), enqueued);
    }
    void release() override { engine_.release(); }
    void job_waits() override { engine_.wake(); }
    void turn_interrupted() override { engine_.beat_now(); }

private:
    queue::engine& engine_;
};

class turn_end : public approvals {
protected:
    void command(std::string const& text, user_id from) {
        flow::execution_input input;
        input.flow = "assistant";
        input.version = 1;
        input.heard =
            flow::heard_message{{bot_id{1}, chat_id{7}, {}}, from, telegram_message_id{60}};
        flow::execution_start start;
        start.lane.key = "1:7:0";
        start.lane.bot = bot_id{1};
        start.job.kind = flow::turn_kind;
        start.job.input = flow::to_json(input);
        auto& message = start.message.emplace();
        message.id = base::nanoid(base::system_random());
        message.role = "user";
        message.content = text;
        start.command = flow::command_in(text, agent::command_of(text), input, false);
        engine_slots slots(*engine_node_->engine);
        flow::execution_intake intake(*engine_node_->intake, slots, clock);
        auto const begun = w.io.run(intake.begin(std::move(start), clock.steady() + 5s));
        ASSERT_TRUE(begun) << begun.error().detail;
        engine_node_->engine->wake();
    }
    std::vector<std::string> said() const {
        std::vector<std::string> all;
        for (auto const& message : chat.sent) all.push_back(message.content.text);
        return all;
    }
    user_id asker() {
        return user_id{std::stoll(w.value("select input ->> 'user' from postrider.job limit 1"))};
    }
};

// covers: E.12 X.07
TEST_F(turn_end, of_a_turn_that_waits_for_a_press_takes_its_question_back) {
    ask();
    command("stop", asker());
    w.until("select state from postrider.job where input ->> 'command' = '/stop'", "completed");
    w.until("select state from postrider.job where kind = 'question_end'", "completed");

    EXPECT_EQ(w.value("select state from postrider.job order by job_id limit 1"), "cancelled");
    EXPECT_EQ(w.value("select count(*) from postrider.question"), "0");
    EXPECT_EQ(approval("state"), "withdrawn");
    EXPECT_THAT(state.removed, IsEmpty());
    EXPECT_THAT(said(), Contains(in_english(agent::find_command("/stop")->ended)));
    EXPECT_THAT(chat.edited.back().second.buttons, IsEmpty());
    EXPECT_EQ(
        w.value(
            "select string_agg(content, ' | ' order by job_id, position) from postrider.message m "
            "join postrider.lane l using (lane_id) where l.lane_key = '1:7:0' and job_id = "
            "(select max(job_id) from postrider.job where input ? 'command')"
        ),
        "stop | " + in_english(agent::find_command("/stop")->ended)
    ) << "in the chat's history";
    EXPECT_EQ(
        w.value(
            "select origin from postrider.message where content = '" +
            in_english(agent::find_command("/stop")->ended) + "'"
        ),
        "engine"
    );
}

TEST_F(turn_end, is_not_needed_to_be_told_what_was_used) {
    ask();
    command("/usage", asker());
    w.until("select state from postrider.job where input ->> 'command' = '/usage'", "completed");

    EXPECT_EQ(w.value("select state from postrider.job order by job_id limit 1"), "waiting");
    EXPECT_EQ(approval("state"), "waiting");
    EXPECT_THAT(said().back(), Not(HasSubstr("cannot read")));

    EXPECT_EQ(press("approve", asker()), "taken");
    w.until("select state from postrider.job order by job_id limit 1", "completed");
    EXPECT_EQ(state.removed.size(), 1u) << "the turn goes on as if nothing had been asked";
}

// No gate keeps its answer waiting, as in a conversation of the chat API.
// covers: E.12 E.14
TEST_F(turn_end, in_its_last_model_call_leaves_no_answer_behind) {
    model.script = {says("Much too late.")};
    model.while_asked = [this] {
        w.execute("select postrider.job_cancel(job_id) from postrider.job");
    };
    say("Hello");
    w.until("select state from postrider.job", "cancelled");

    EXPECT_THAT(chat.sent, IsEmpty());
    EXPECT_EQ(w.value("select count(*) from postrider.message where role <> 'user'"), "0")
        << "no later turn reads it";
    EXPECT_EQ(w.value("select count(*) from postrider.effect"), "0");
    EXPECT_EQ(w.value("select outcome from postrider.step where key like '%model'"), "done");
    EXPECT_EQ(w.value("select tokens_in > 0 from postrider.job"), "t") << "it was paid for";
}

// covers: E.12 E.14
TEST_F(turn_end, before_its_answer_goes_out_takes_the_answer_out_of_the_history) {
    model.script = {says("Much too late.")};
    model.while_asked = [this] {
        w.execute("select postrider.job_pause(job_id) from postrider.job");
    };
    say("Hello");
    w.until("select state from postrider.job", "paused");
    EXPECT_EQ(
        w.value("select delivery from postrider.message where role = 'assistant'"), "pending"
    );
    w.execute("select postrider.job_cancel(job_id) from postrider.job");

    EXPECT_THAT(chat.sent, IsEmpty());
    EXPECT_EQ(w.value("select state from postrider.effect"), "failed");
    EXPECT_EQ(w.value("select count(*) from postrider.message where role = 'assistant'"), "0");
}

// What a turn that ran on says afterwards would stand in the conversation that it began in.
TEST_F(turn_end, by_a_new_conversation_leaves_nothing_of_the_turn_in_it) {
    ask();
    command("/new", asker());
    w.until("select state from postrider.job where input ->> 'command' = '/new'", "completed");
    EXPECT_EQ(w.value("select state from postrider.job order by job_id limit 1"), "cancelled");

    say("Hello");
    w.until(
        "select state from postrider.job where kind = 'turn' order by job_id desc limit 1",
        "completed"
    );
    auto const& read = model.requests.back().messages;
    EXPECT_EQ(read.size(), 1u) << "nothing of before, the command and its answer included";
}

} // namespace
} // namespace postrider::tests::turn_end_test
