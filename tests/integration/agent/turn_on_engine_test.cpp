// The turn on the real engine and a real Postgres.
#include "agent/models/factory.hpp"
#include "agent/models/provider.hpp"
#include "queue/admin/operations.hpp"
#include "storage/query.hpp"
#include "storage/stores/message_edits.hpp"
#include "storage/stores/messages.hpp"
#include "storage/stores/own_usage.hpp"
#include "tests/integration/agent/message_unit.hpp"
#include "tests/integration/queue/world.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::turn_on_engine_test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using namespace std::chrono_literals;

// Answers with the question; while it thinks for the first time, the question is edited.
class interrupted_model final : public agent::model {
public:
    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {}; }
    base::awaitable<base::result<agent::chat_reply>> chat(agent::chat_request request) override {
        asked.push_back(request.messages.back().content);
        if (asked.size() == 1) {
            std::vector<storage::write> writes{
                storage::lock_edited_lanes("1:7", chat_id{7}, telegram_message_id{50}),
                storage::edit_message(
                    "1:7", bot_id{1}, chat_id{7}, telegram_message_id{50}, "new text"
                )};
            (co_await storage::query(*intake, std::move(writes), 5s)).value();
        }
        co_return says("About " + asked.back());
    }

    storage::batcher* intake = nullptr;
    std::vector<std::string> asked;

private:
    std::string name_ = "interrupted/one";
};

// Never comes to an end with what it says, the first time that it is asked.
class slow_model final : public agent::model {
public:
    explicit slow_model(loop& io) : silence_(io.executor()) {}
    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {}; }
    base::awaitable<base::result<agent::chat_reply>> chat(agent::chat_request) override {
        struct leaving {
            int& inside;
            ~leaving() { --inside; }
        } const on_exit{++inside};
        if (++asked == 1) co_await silence_.wait();
        co_return says("A quick answer");
    }

    int asked = 0;
    int inside = 0;

private:
    base::signal silence_;
    std::string name_ = "slow/one";
};

class turn_on_engine : public engine_fixture {
protected:
    turn_on_engine() {
        w.defaults.cancel_grace = 1h;
        // The turn reads through the node's own connections, which exist once it has started.
        auto run = [this](queue::workflow& steps) {
            return agent::flow::execute(*graph_, steps, *services_, nobody_);
        };
        node_ = &w.start_node({queue::job_kind{std::string(agent::flow::turn_kind), run}});
        lane_ = lane_id{std::stoll(
            w.value("insert into postrider.lane (bot_id, chat_id, lane_key) values (1, 7, '1:7') "
                    "returning lane_id")
        )};
    }

    void answer_with(agent::model& model) {
        services_.emplace(assistant_services(
            *node_->quick, chat_, base::system_clock(), base::system_random(), {&model}
        ));
    }

    void ask(std::string text) {
        start(std::move(text));
        w.until("select state from postrider.job order by job_id desc limit 1", "completed");
    }

    void start(std::string text) {
        queue::new_job wanted{
            lane_,
            std::string(agent::flow::turn_kind),
            heard_in({bot_id{1}, chat_id{7}, {}}),
            node_->engine->try_reserve()};
        storage::message_row message;
        message.content = std::move(text);
        message.telegram_message = telegram_message_id{50};
        auto unit = std::make_shared<message_unit>(wanted, std::move(message));
        w.io.run(node_->intake->commit(unit, 5s)).value();
        ASSERT_TRUE(unit->entry.leased);
        node_->engine->start_leased(queue::leased_job(wanted, unit->entry), unit->entry);
    }

    storage::own_usage own_usage() {
        return w.io.run(storage::read_own_usage(*node_->quick, lane_, user_id{7}, {}, 5s)).value();
    }

    node* node_ = nullptr;
    lane_id lane_{};
    recording_chat chat_;
    agent::flow::observer nobody_;
    std::shared_ptr<agent::flow::graph const> graph_ = assistant_graph();
    std::optional<agent::flow::node_services> services_;
};

// covers: E.12
TEST_F(turn_on_engine, a_fork_that_answers_nobody_leaves_the_conversation_alone) {
    scripted_model model;
    for (auto const* reply : {"Hello to you", "I am well", "Not too bad", "It is"})
        model.script.push_back(says(reply));
    answer_with(model);
    ask("Hello");
    ask("How are you?");
    auto const original = job_id{std::stoll(w.value("select max(job_id) from postrider.job"))};

    queue::operation_result forked;
    w.in_transaction([&](storage::transaction& tx) {
        forked = queue::operate(tx, original, {.operation = queue::operation::fork});
    });
    node_->engine->wake();
    w.until("select count(*) from postrider.job where state = 'completed'", "3");
    ask("Fine weather, is it not?");

    EXPECT_EQ(forked.code, "done") << forked.detail;
    auto const contents = [&model](std::size_t request) {
        std::vector<std::string> all;
        for (auto const& message : model.requests.at(request).messages)
            all.push_back(message.content);
        return all;
    };
    EXPECT_EQ(contents(2), contents(1)) << "it reads what the original read";
    EXPECT_THAT(
        contents(3),
        ElementsAre(
            "Hello", "Hello to you", "How are you?", "I am well", "Fine weather, is it not?"
        )
    );
    EXPECT_THAT(chat_.sent, SizeIs(3));
    EXPECT_EQ(
        w.value("select l.lane_key from postrider.job j join postrider.lane l using (lane_id) "
                "where forked_from is not null"),
        "fork:" + base::to_string(*forked.job)
    );
    EXPECT_EQ(w.value("select count(*) from postrider.messages"), "6");
}

// covers: E.12
TEST_F(turn_on_engine, that_is_cancelled_does_not_wait_for_its_model) {
    slow_model model(w.io);
    answer_with(model);
    start("Think");
    w.until([&] { return model.asked == 1; });
    EXPECT_EQ(own_usage().running, 1);
    EXPECT_EQ(own_usage().calls, 0);

    w.execute("select postrider.job_cancel(job_id) from postrider.job");
    node_->engine->beat_now();
    w.until("select state from postrider.job", "cancelled");

    EXPECT_EQ(model.inside, 0) << "nobody hears its words any more";
    EXPECT_EQ(w.value("select count(*) from postrider.step where key like '%model'"), "0");
    EXPECT_TRUE(chat_.sent.empty());
    EXPECT_EQ(own_usage().running, 0);
    ask("Quick");
    ASSERT_THAT(chat_.sent, SizeIs(1));
    EXPECT_EQ(chat_.sent[0].content.text, "A quick answer");
}

TEST_F(turn_on_engine, answers_and_remembers) {
    scripted_model model;
    model.script.push_back(says("Hello to you"));
    model.script.push_back(says("I am well"));
    answer_with(model);

    ask("Hello");
    ask("How are you?");

    ASSERT_THAT(chat_.sent, SizeIs(2));
    EXPECT_EQ(chat_.sent[1].content.text, "I am well");
    ASSERT_THAT(model.requests.at(1).messages, SizeIs(3));
    EXPECT_EQ(model.requests[1].messages[1].content, "Hello to you");
    EXPECT_EQ(
        w.value("select string_agg(role || ' ' || coalesce(delivery, '-'), ',' order by job_id, "
                "position) from postrider.message"),
        "user -,assistant sent,user -,assistant sent"
    );
    EXPECT_EQ(
        w.value("select string_agg(distinct origin, ',') from postrider.message "
                "where role = 'assistant'"),
        "agent"
    );
    EXPECT_EQ(
        w.value("select count(*) from postrider.effect where state = 'done' and not flagged"), "2"
    );
    EXPECT_EQ(w.value("select sum(tokens_in) from postrider.job"), "20");
}

class failing_model final : public agent::model {
public:
    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {}; }
    base::awaitable<base::result<agent::chat_reply>> chat(agent::chat_request) override {
        co_return base::error(base::errc::unauthorized, "HTTP 401");
    }

private:
    std::string name_ = "failing/one";
};

// covers: S3.17
TEST_F(turn_on_engine, counts_a_turn_whose_model_failed_for_good) {
    failing_model model;
    answer_with(model);

    ask("Hello");

    EXPECT_THAT(chat_.sent.at(0).content.text, testing::HasSubstr("not set up correctly"));
    EXPECT_EQ(
        w.value("select state || ' ' || degraded || ' ' || error_class from postrider.job"),
        "completed true unauthorized"
    );
    EXPECT_EQ(
        w.value("select error_class || ': ' || error from postrider.degraded_jobs"),
        "unauthorized: HTTP 401"
    );
    EXPECT_EQ(w.value("select count(*) from postrider.dead_letters"), "0");
}

TEST_F(turn_on_engine, goes_through_tools_with_the_rules_model) {
    auto rules = agent::find_provider("rules")->make_built_in();
    answer_with(*rules);

    ask("What is 6 * 7?");

    EXPECT_EQ(chat_.sent.at(0).content.text, "6 * 7 = 42");
    EXPECT_EQ(
        w.value("select count(*) from postrider.step where key like 'assistant/tool:%'"), "1"
    );
    EXPECT_EQ(
        w.value("select string_agg(role, ',' order by position) from postrider.message"),
        "user,assistant,tool,assistant"
    );
}

TEST_F(turn_on_engine, an_edit_while_the_model_thinks_is_answered) {
    interrupted_model model;
    model.intake = node_->intake.get();
    answer_with(model);

    ask("old text");

    EXPECT_THAT(model.asked, ElementsAre("old text", "new text"));
    ASSERT_THAT(chat_.sent, SizeIs(1));
    EXPECT_EQ(chat_.sent[0].content.text, "About new text");
    EXPECT_EQ(
        w.value("select string_agg(content, ',' order by position) from postrider.message"),
        "new text,About new text"
    );
}

TEST_F(turn_on_engine, a_model_failure_is_told_and_stands_in_its_step) {
    scripted_model model;
    model.script.push_back(base::error(base::errc::unauthorized, "HTTP 401"));
    answer_with(model);

    ask("Hello");

    EXPECT_THAT(chat_.sent.at(0).content.text, testing::HasSubstr("not set up correctly"));
    EXPECT_EQ(
        w.value(
            "select outcome || ' ' || error_class from postrider.step where key = 'assistant/model'"
        ),
        "failed unauthorized"
    );
    EXPECT_EQ(
        w.value("select output #>> '{nodes,Assistant,error_class}' from postrider.job"),
        "unauthorized"
    );
}

} // namespace
} // namespace postrider::tests::turn_on_engine_test
