// Turns that count against budgets, on real engines and a real Postgres.
#include "agent/flow/budgets.hpp"
#include "agent/models/transcription.hpp"
#include "storage/query.hpp"
#include "storage/stores/message_edits.hpp"
#include "storage/stores/messages.hpp"
#include "tests/integration/agent/message_unit.hpp"
#include "tests/integration/queue/steps.hpp"
#include "tests/support/scripted_embedder.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace postrider::tests::budgets_test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using namespace std::chrono_literals;

// Answers once it is let.
class patient_model final : public agent::model {
public:
    explicit patient_model(loop& io) : door(io) {}
    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {}; }
    base::awaitable<base::result<agent::chat_reply>> chat(agent::chat_request request) override {
        ++asked;
        if (while_asked) co_await while_asked(asked);
        (void)co_await pass_through(door);
        if (failure) co_return *failure;
        co_return says("About " + request.messages.back().content);
    }

    latch door;
    int asked = 0;
    std::optional<base::error> failure;
    std::function<base::awaitable<void>(int asked)> while_asked;

private:
    std::string name_ = "patient/one";
};

struct priced_transcriber final : agent::transcriber {
    agent::transcription_options const& options() const override { return terms; }
    base::awaitable<base::result<std::string>> transcribe(agent::recording /*speech*/) override {
        ++asked;
        co_return std::string("How often?");
    }
    agent::transcription_options terms{.base_url = "http://whisper", .price_per_minute = 6000};
    int asked = 0;
};

base::awaitable<void> leave_it() {
    co_return;
}

base::awaitable<void> edit_it(storage::batcher& intake) {
    std::vector<storage::write> writes{
        storage::lock_edited_lanes("1:7", chat_id{7}, telegram_message_id{50}),
        storage::edit_message("1:7", bot_id{1}, chat_id{7}, telegram_message_id{50}, "new text")};
    (co_await storage::query(intake, std::move(writes), 5s)).value();
}

class budgets : public engine_fixture {
protected:
    budgets() { model.door.let_go(); }

    // A process that runs turns by that model.
    struct server_process {
        std::optional<agent::flow::node_services> services;
        tests::node* node = nullptr;
    };
    server_process& start(agent::model& by, bool dies = false) {
        auto& process = processes_.emplace_back();
        auto run = [this, &process](queue::workflow& steps) {
            return agent::flow::execute(*graph_, steps, *process.services, nobody_);
        };
        std::vector<queue::job_kind> kinds{{std::string(agent::flow::turn_kind), run}};
        process.node = dies ? &w.start_zombie(kinds) : &w.start_node(kinds);
        auto& clock = base::system_clock();
        process.services.emplace(assistant_services(
            *process.node->quick, chat, clock, base::system_random(), {.model = &by}
        ));
        process.services->transcription = &whisper;
        if (!limits.empty())
            process.services->budgets = agent::budgets{limits, process.node->db.get()};
        return process;
    }

    void ask(server_process& by, lane_id lane, std::string_view command = {}) {
        queue::new_job turn;
        turn.lane = lane;
        turn.kind = std::string(agent::flow::turn_kind);
        turn.input = heard_in({bot_id{1}, chat_id{7}, {}});
        if (!command.empty()) turn.input.as_object()["command"] = command;
        if (speaks) {
            auto& input = turn.input.as_object();
            input["spoken"] = true;
            input["seconds"] = 60;
            input["file"] = {{"source", "AwAC"}, {"name", "voice.ogg"}, {"mime", "audio/ogg"}};
        }
        storage::message_row message;
        message.content = "this";
        message.telegram_message = telegram_message_id{50};
        auto unit = std::make_shared<message_unit>(std::move(turn), std::move(message));
        w.io.run(by.node->intake->commit(unit, 5s)).value();
        by.node->engine->wake();
    }
    lane_id chat_lane(std::string const& key) {
        return lane_id{std::stoll(w.value(
            "insert into postrider.lane (bot_id, chat_id, lane_key) values (1, 7, '" + key +
            "') returning lane_id"
        ))};
    }
    void until_over(int jobs) {
        w.until(
            "select count(*) from postrider.job where state = 'completed'", std::to_string(jobs)
        );
    }
    std::string spent() {
        return w.value("select string_agg(concat_ws(' ', scope, nullif(subject, ''), calls, "
                       "tokens, calls_reserved), ', ' "
                       "order by scope) from postrider.budgets_today");
    }

    recording_chat chat;
    patient_model model{w.io};
    priced_transcriber whisper;
    bool speaks = false; // the person does
    std::map<std::string, storage::spending, std::less<>> limits;
    agent::flow::observer nobody_;
    std::shared_ptr<agent::flow::graph const> graph_ = assistant_graph();
    std::deque<server_process> processes_;
};

// covers: X.04
TEST_F(budgets, count_the_vector_of_a_question_as_a_call_of_a_model) {
    limits["user"] = {100, 0, 0};
    w.execute("insert into postrider.memory (user_id, chat_id, bot_id, kind, content, language, "
              "words, made_by) values (7, 0, 1, 'note', 'This is it.', 'en', 'it', 'a')");
    scripted_embedder embedder(1000, 0);
    auto& process = start(model);
    process.services->embedder = &embedder;
    auto const lane = chat_lane("1:7");
    ask(process, lane);
    until_over(1);

    EXPECT_EQ(w.value("select calls from postrider.budgets_today"), "2");
    EXPECT_EQ(w.value("select tokens >= 1000 from postrider.budgets_today"), "t");
    EXPECT_EQ(
        w.value("select string_agg(subject, ' ' order by number) from postrider.audit "
                "where kind = 'model_call'"),
        "assistant/recall-long-term assistant/model"
    );
    EXPECT_EQ(w.value("select tokens_in >= 1000 from postrider.job where kind = 'turn'"), "t");
}

// covers: X.04
TEST_F(budgets, an_empty_one_ends_the_turn_in_words) {
    limits["user"] = {1, 0, 0};
    auto& process = start(model);
    auto const lane = chat_lane("1:7");
    ask(process, lane);
    until_over(1);

    ask(process, lane);
    until_over(2);

    ASSERT_THAT(chat.sent, SizeIs(2));
    EXPECT_EQ(chat.sent[0].content.text, "About this");
    EXPECT_THAT(chat.sent[1].content.text, HasSubstr("your budget of 1 model calls a day"));
    EXPECT_THAT(
        chat.sent[1].content.text,
        HasSubstr(
            "opens again at " + w.value("select to_char(postrider.day_of(postrider.now()) + 1, "
                                        "'YYYY-MM-DD') || ' 00:00 UTC'")
        )
    );
    EXPECT_EQ(model.asked, 1);
    EXPECT_EQ(
        w.value("select string_agg(reason || ' ' || error_class, ',') from postrider.degraded_jobs"
        ),
        "budget_empty budget"
    );
    EXPECT_EQ(
        w.value("select outcome || ' ' || error_class || ' ' || (error like "
                "'your budget%') from postrider.step "
                "where key = 'assistant/model' order by job_id desc limit 1"),
        "failed budget true"
    );
    EXPECT_EQ(spent(), "user 7 1 13 0");
}

TEST_F(budgets, of_speech_are_spent_by_its_seconds_and_end_it_in_words) {
    limits["user"] = {10, 0, 6000};
    speaks = true;
    chat.files["AwAC"] = "OggS";
    auto& process = start(model);
    auto const lane = chat_lane("1:7");
    ask(process, lane);
    until_over(1);
    EXPECT_EQ(
        w.value("select calls || ' ' || cost_micro from postrider.budget_day where scope = 'user'"),
        "1 6000"
    );
    EXPECT_THAT(chat.sent.at(0).content.text, HasSubstr("your budget of"));

    ask(process, lane);
    w.until("select count(*) from postrider.job where state = 'failed'", "1");

    EXPECT_EQ(
        w.value("select error_class || ' ' || (error like 'your budget%') from postrider.step "
                "where key = 'transcript' and outcome = 'failed'"),
        "budget true"
    );
    EXPECT_EQ(whisper.asked, 1);
    EXPECT_EQ(
        w.value("select string_agg(kind, ',' order by number) from postrider.audit "
                "where detail ->> 'model' = 'whisper-1'"),
        "model_call,budget_stop"
    );
}

// covers: X.04
TEST_F(budgets, count_a_call_that_was_stopped) {
    limits["user"] = {5, 0, 0};
    model.door.open = false;
    auto& process = start(model);
    ask(process, chat_lane("1:7"));
    w.until([&] { return model.asked == 1; });

    w.execute("select postrider.job_cancel(job_id) from postrider.job");
    process.node->engine->beat_now();
    w.until("select state from postrider.job", "cancelled");

    EXPECT_EQ(
        w.value("select calls || ' ' || (tokens > 0) || ' ' || calls_reserved "
                "from postrider.budgets_today"),
        "1 true 0"
    );
}

// covers: X.04
TEST_F(budgets, are_told_to_whom_they_bind_without_a_model) {
    limits["user"] = {1, 1000, 0};
    limits["chat"] = {5, 0, 0};
    auto& process = start(model);
    auto const lane = chat_lane("1:7");
    ask(process, lane, "/usage");
    until_over(1);
    ask(process, lane);
    until_over(2);

    ask(process, lane, "/usage");
    until_over(3);

    ASSERT_THAT(chat.sent, SizeIs(3));
    EXPECT_THAT(chat.sent[0].content.text, HasSubstr("no model here"));
    EXPECT_THAT(chat.sent[0].content.text, HasSubstr("1 of 1 model call, 1000 of 1000 tokens"));
    auto const& told = chat.sent[2].content.text;
    EXPECT_THAT(told, HasSubstr("1 model call with 13 tokens (10 read, 3 written)"));
    EXPECT_THAT(told, HasSubstr("Used up: your budget. It opens again at "));
    EXPECT_THAT(told, HasSubstr(": 4 of 5 model calls."));
    EXPECT_EQ(model.asked, 1);
}

TEST_F(budgets, a_call_counts_against_all_that_it_is_of) {
    for (auto const scope : agent::budget_scopes()) limits[std::string(scope)] = {10, 0, 0};
    auto& process = start(model);

    ask(process, chat_lane("1:7"));
    until_over(1);

    EXPECT_EQ(
        spent(),
        "agent assistant 1 13 0, chat 7 1 13 0, flow assistant 1 13 0, total 1 13 0, user 7 1 13 0"
    );
}

TEST_F(budgets, none_is_asked_where_none_is_configured) {
    auto& process = start(model);

    ask(process, chat_lane("1:7"));
    until_over(1);

    EXPECT_EQ(w.value("select count(*) from postrider.budget_day"), "0");
}

TEST_F(budgets, calls_that_begin_at_once_do_not_pass_together) {
    limits["total"] = {1, 0, 0};
    model.door.open = false;
    auto& process = start(model);
    ask(process, chat_lane("1:7"));
    w.until([this] { return model.asked == 1; });

    ask(process, chat_lane("1:8"));
    w.until("select error_class from postrider.step where outcome = 'retry'", "overloaded");
    model.door.let_go();
    until_over(1);
    w.pass("10 s");
    until_over(2);

    EXPECT_EQ(model.asked, 1);
    EXPECT_THAT(chat.sent.back().content.text, HasSubstr("the budget of everybody together"));
    EXPECT_EQ(spent(), "total 1 13 0");
}

TEST_F(budgets, a_call_that_failed_costs_nothing) {
    limits["user"] = {1, 0, 0};
    model.failure = base::error(base::errc::unauthorized, "HTTP 401");
    auto& process = start(model);
    auto const lane = chat_lane("1:7");

    ask(process, lane);
    until_over(1);
    auto const after_the_failure = spent();
    model.failure.reset();
    ask(process, lane);
    until_over(2);

    EXPECT_EQ(after_the_failure, "user 7 0 0 0");
    EXPECT_EQ(spent(), "user 7 1 13 0");
}

TEST_F(budgets, an_answer_that_an_edit_overtook_is_paid_for_too) {
    limits["user"] = {5, 0, 0};
    auto& process = start(model);
    model.while_asked = [&process](int asked) {
        return asked == 1 ? edit_it(*process.node->intake) : leave_it();
    };

    ask(process, chat_lane("1:7"));
    until_over(1);

    EXPECT_EQ(chat.sent.at(0).content.text, "About new text");
    EXPECT_EQ(model.asked, 2);
    EXPECT_EQ(spent(), "user 7 2 26 0");
}

// covers: X.04
TEST_F(budgets, what_a_dead_process_reserved_is_given_back_and_settled_once) {
    limits["user"] = {1, 0, 0};
    patient_model stuck(w.io);
    auto& dying = start(stuck, true);
    ask(dying, chat_lane("1:7"));
    w.until([&] { return stuck.asked == 1; });
    auto const in_flight = spent();
    start(model);

    w.silence_oldest();
    until_over(1);
    stuck.door.let_go(); // its answer comes, and is refused
    w.until([&] { return dying.node->engine->counts().lost == 1; });

    EXPECT_EQ(in_flight, "user 7 0 0 1");
    EXPECT_EQ(model.asked, 1);
    EXPECT_EQ(chat.sent.at(0).content.text, "About this");
    EXPECT_EQ(spent(), "user 7 1 13 0");
}

} // namespace
} // namespace postrider::tests::budgets_test
