// A group's messages behind the spam filter, on real engines and a real Postgres.
#include "agent/spam/store/knowledge_cache.hpp"
#include "agent/spam/store/members.hpp"
#include "agent/spam/store/verdicts.hpp"
#include "queue/admin/operations.hpp"
#include "tests/integration/queue/steps.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::spam_check_test {
namespace {

namespace flow = agent::flow;
namespace spam = agent::spam;
using testing::SizeIs;
using namespace std::chrono_literals;

constexpr std::string_view advertisement =
    "🔥🔥🔥 Набираю людей в команду! Удaлённый зaрaбoтoк от 1000$ в неделю, пишите в лс";
constexpr chat_id group{-100};
constexpr chat_id other_group{-200};
constexpr user_id eve{7};

auto const guard = flow_builder("guard")
                       .trigger("In", "telegram.group")
                       .node("Check", "spam.check", {{"messages_until_approved", 2}})
                       .after("Check", "clean")
                       .agent("Answer", {{"prompt", "{{ $json.text }}"}})
                       .text();

// Answers once it is let.
class door_model final : public agent::model {
public:
    explicit door_model(loop& io) : door(io) {}
    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {}; }
    base::awaitable<base::result<agent::chat_reply>> chat(agent::chat_request) override {
        ++asked;
        if (failure) co_return *failure;
        (void)co_await pass_through(door);
        co_return says("Hm.");
    }

    latch door;
    int asked = 0;
    std::optional<base::error> failure;

private:
    std::string name_ = "door/one";
};

class guarded_group : public engine_fixture {
protected:
    struct server_process {
        node* engine_node = nullptr;
        std::optional<spam::knowledge_cache> cache;
        std::optional<flow::node_services> services;
    };
    server_process& start(agent::model& model, bool is_zombie = false) {
        auto& process = *processes_.emplace_back(std::make_unique<server_process>());
        auto run = [this, &process](queue::workflow& steps) {
            return flow::execute(*graph_, steps, *process.services, nobody_);
        };
        std::vector<queue::job_kind> kinds{{std::string(flow::turn_kind), run}};
        process.engine_node = is_zombie ? &w.start_zombie(kinds) : &w.start_node(kinds);
        process.cache.emplace(*process.engine_node->db);
        process.services.emplace(assistant_services(
            *process.engine_node->quick,
            chat_,
            base::system_clock(),
            base::system_random(),
            {.model = &model}
        ));
        process.services->spam = &*process.cache;
        return process;
    }

    void happen(
        server_process& on,
        std::int64_t number,
        std::string_view text,
        agent::group_event event = agent::group_event::message,
        chat_id chat = group
    ) {
        agent::group_message message;
        message.sender.user = eve;
        message.text = text;
        flow::execution_input input;
        input.flow = "guard";
        input.version = 1;
        input.heard = flow::heard_message{{bot_id{1}, chat}, eve, telegram_message_id{number}};
        input.heard->seen = event_json(event, message);
        if (!lanes_.contains(chat)) lanes_[chat] = w.make_lane("1:" + base::to_string(chat) + ":0");
        w.enqueue(*on.engine_node, lanes_[chat], std::string(flow::turn_kind), to_json(input));
    }
    void until_over(int jobs) {
        w.until(
            "select count(*) from postrider.job where finished_at is not null", std::to_string(jobs)
        );
    }
    spam::member of_eve(chat_id chat = group) {
        spam::member stored;
        w.in_transaction([&](storage::transaction& tx) {
            stored = spam::find_member(tx, chat, eve);
        });
        return stored;
    }
    std::vector<spam::stored_verdict> verdicts(std::int64_t number) {
        std::vector<spam::stored_verdict> all;
        w.in_transaction([&](storage::transaction& tx) {
            all = spam::verdicts_of(tx, group, number);
        });
        return all;
    }

    door_model model_{w.io};
    recording_chat chat_;
    flow::observer nobody_;
    std::shared_ptr<flow::graph const> graph_ = compiled(guard);
    std::vector<std::unique_ptr<server_process>> processes_;
    std::map<chat_id, lane_id> lanes_;
};

// covers: S4.02 E.09
TEST_F(guarded_group, counts_a_message_once_where_a_process_dies) {
    door_model stuck(w.io);
    auto& first = start(stuck, true);
    happen(first, 1, "hello all, how are you today?");
    first.engine_node->engine->wake();
    w.until([&] { return stuck.door.arrived == 1; });
    EXPECT_EQ(of_eve().messages, 1) << "committed before the model is asked";

    model_.door.let_go();
    start(model_);
    w.silence_oldest();
    until_over(1);

    EXPECT_EQ(model_.asked, 1);
    EXPECT_EQ(of_eve().messages, 1);
    EXPECT_EQ(w.value("select count(*) from postrider.spam_recent"), "1");
    EXPECT_THAT(verdicts(1), SizeIs(1));
    stuck.door.let_go();
    w.until([&] { return first.engine_node->engine->counts().busy == 0; });
}

TEST_F(guarded_group, counts_a_message_once_where_a_person_restarts_its_job) {
    model_.door.let_go();
    auto& process = start(model_);
    happen(process, 1, "hello all, how are you today?");
    until_over(1);

    w.in_transaction([&](storage::transaction& tx) {
        auto const job = std::stoll(w.value("select job_id from postrider.job"));
        auto const restarted =
            queue::operate(tx, job_id{job}, {.operation = queue::operation::restart});
        EXPECT_EQ(restarted.code, "done") << restarted.detail;
    });
    process.engine_node->engine->wake();
    w.until("select state || restarts from postrider.job", "completed1");

    EXPECT_EQ(model_.asked, 2);
    EXPECT_EQ(of_eve().messages, 1);
    EXPECT_FALSE(of_eve().approved_at);
    EXPECT_EQ(w.value("select count(*) from postrider.spam_recent"), "1");
}

// covers: S4.02 S4.07
TEST_F(guarded_group, catches_an_approved_members_edit) {
    model_.door.let_go();
    auto& process = start(model_);
    happen(process, 1, "hello all, how are you today?");
    happen(process, 2, "the weather is nice in our town");
    until_over(2);
    EXPECT_EQ(of_eve().approved_by, "messages");

    happen(process, 2, advertisement, agent::group_event::edit);
    until_over(3);

    ASSERT_THAT(verdicts(2), SizeIs(2)) << "one for each wording";
    EXPECT_TRUE(verdicts(2)[0].is_spam);
    EXPECT_EQ(verdicts(2)[0].text, advertisement);
    EXPECT_FALSE(verdicts(2)[1].is_spam);
    EXPECT_EQ(model_.asked, 2) << "spam reaches no model";
    EXPECT_FALSE(of_eve().approved_at);
    EXPECT_EQ(of_eve().messages, 0);
}

TEST_F(guarded_group, is_not_known_in_another_group) {
    model_.door.let_go();
    auto& process = start(model_);
    for (int number = 1; number < 3; ++number)
        happen(process, number, "message number " + std::to_string(number) + " of a pleasant chat");
    until_over(2);
    EXPECT_EQ(of_eve().approved_by, "messages");

    happen(process, 1, advertisement, agent::group_event::message, other_group);
    happen(process, 3, advertisement);
    until_over(4);

    EXPECT_EQ(
        w.value("select string_agg(chat_id::text, ',') from postrider.spam_verdict where is_spam"),
        "-200"
    );
    EXPECT_EQ(of_eve().approved_by, "messages");
    EXPECT_FALSE(of_eve(other_group).approved_at);
}

// covers: X.06
TEST_F(guarded_group, is_guarded_while_no_provider_answers) {
    model_.failure = base::error(base::errc::refused, "no credit");
    auto& process = start(model_);
    happen(process, 1, advertisement);
    happen(process, 2, "hello all, how are you today?");
    until_over(2);

    EXPECT_EQ(w.value("select count(*) from postrider.spam_verdict where is_spam"), "1");
    EXPECT_EQ(of_eve().messages, 1) << "the answer failed, not the filter";
}

TEST_F(guarded_group, learns_from_a_training_at_once) {
    model_.door.let_go();
    auto& process = start(model_);
    std::string const words = "purple elephants dance on the roof tonight";
    w.in_transaction([&](storage::transaction& tx) {
        ASSERT_TRUE(spam::teach(tx, {.chat = group, .text = words, .trained_by = "user:1"}));
    });
    happen(process, 1, words);
    happen(process, 1, words, agent::group_event::message, other_group);
    until_over(2);

    EXPECT_EQ(
        w.value("select string_agg(chat_id::text, ',') from postrider.spam_verdict where is_spam"),
        "-100"
    );
}

// A repeated text is none that its own edit repeats.
TEST_F(guarded_group, compares_no_message_with_itself) {
    model_.door.let_go();
    auto& process = start(model_);
    for (int time = 0; time < 4; ++time)
        happen(process, 1, "a text that is edited back and forth", agent::group_event::edit);
    until_over(4);

    EXPECT_EQ(w.value("select count(*) from postrider.spam_verdict where is_spam"), "0");
    for (int number = 2; number < 4; ++number)
        happen(process, number, "a text that is edited back and forth");
    until_over(6);
    EXPECT_EQ(w.value("select count(*) from postrider.spam_verdict where is_spam"), "1")
        << "the third of the same text";
}

} // namespace
} // namespace postrider::tests::spam_check_test
