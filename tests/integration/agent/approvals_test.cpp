// Calls of high risk on the real engine and a real Postgres: the turn parks, and the same turn goes
// on with what the person said.
#include "agent/flow/catalog.hpp"
#include "agent/flow/nodes/describe.hpp"
#include "agent/question.hpp"
#include "storage/stores/approvals.hpp"
#include "storage/stores/questions.hpp"
#include "tests/integration/queue/world.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view careful_agent = R"({
    "format": 1, "name": "careful",
    "nodes": [
        {"id": "in", "name": "In", "type": "telegram.message"},
        {"id": "ask", "name": "Ask", "type": "agent"},
        {"id": "model", "name": "Model", "type": "model"},
        {"id": "remove", "name": "Remove", "type": "tool.remove"},
        {"id": "out", "name": "Out", "type": "telegram.send",
         "parameters": {"text": "{{ $json.text }}"}}
    ],
    "connections": [
        {"from": "in", "to": "ask"},
        {"type": "ai_model", "from": "model", "to": "ask"},
        {"type": "ai_tool", "from": "remove", "to": "ask"},
        {"from": "ask", "to": "out"}
    ]
})";

// What its owner changes while a question is open.
struct removal {
    std::string description = "Removes a file for good.";
    std::vector<std::string> removed;
};
removal state;

base::awaitable<base::result<agent::tool_output>> remove(
    agent::tool_context&, json::object arguments
) {
    state.removed.emplace_back(arguments.at("path").as_string());
    co_return agent::tool_output("removed");
}

base::awaitable<base::result<flow::ai_part>> make_remove(flow::part_run const&) {
    flow::offered_tool offered;
    offered.spec = {
        "remove", state.description, {{"type", "object"}, {"required", json::array{"path"}}}};
    offered.kind = "tool.remove";
    offered.risk = agent::risk::high;
    offered.effect_class = queue::effect_class::at_most_once;
    offered.work = flow::tool_function(remove);
    flow::tool_part part;
    part.tools.push_back(std::move(offered));
    co_return flow::ai_part(std::move(part));
}

flow::catalog const& types() {
    static auto const all = [] {
        auto types = flow::builtin_types();
        types.add(
            {.name = "tool.remove",
             .group = flow::group::tool,
             .title = "Remove",
             .documentation = "Removes files.",
             .outputs = {flow::ai_output(flow::connection_kind::ai_tool)},
             .parameters = flow::parameters("{}"),
             .behaviour = flow::part{make_remove}}
        );
        return types;
    }();
    return all;
}

std::shared_ptr<flow::graph const> compiled() {
    auto read = flow::read_definition(careful_agent);
    auto graph = flow::graph::compile(std::get<flow::definition>(read), types());
    return std::get<std::shared_ptr<flow::graph const>>(std::move(graph));
}

// A message of the chat, as the intake commits it.
class message_unit final : public storage::unit {
public:
    message_unit(queue::new_job wanted, std::string text)
        : wanted_(std::move(wanted)),
          text_(std::move(text)) {}

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override {
        if (number == 0) return {queue::enqueue(wanted_)};
        if (number > 1) return {};
        auto const job = queue::read_enqueued(returned.front().front());
        storage::message_row row;
        row.lane = job.lane;
        row.job = job.id;
        row.conversation = job.conversation;
        row.id = base::nanoid(base::system_random());
        row.role = "user";
        row.content = text_;
        return {storage::add_message(row)};
    }

private:
    queue::new_job wanted_;
    std::string text_;
};

class approvals : public testing::Test {
protected:
    approvals() {
        state = {};
        lane_ = w.make_lane("1:7:0");
        start();
        model.script = {call("a.txt"), says("It is done."), says("And hello.")};
    }

    void start() {
        engine_node_ = &w.start_node({queue::job_kind{
            std::string(flow::turn_kind), [this](queue::workflow& steps) {
                return flow::execute(*graph_, steps, *services_, nobody_);
            }}});
        services_.emplace(assistant_services(
            *engine_node_->quick, chat, base::system_clock(), base::system_random(), {&model}
        ));
        services_->approval_timeout = timeout;
    }

    static base::result<agent::chat_reply> call(std::string path) {
        return calls({{"remove", {{"path", std::move(path)}}}});
    }

    void say(std::string text) {
        queue::new_job wanted;
        wanted.lane = lane_;
        wanted.kind = std::string(flow::turn_kind);
        wanted.input = heard_in({bot_id{1}, chat_id{7}, {}});
        auto unit = std::make_shared<message_unit>(std::move(wanted), std::move(text));
        w.io.run(engine_node_->intake->commit(unit, 5s)).value();
        engine_node_->engine->wake();
    }
    void ask() {
        say("Remove a.txt");
        w.until("select state from postrider.job order by job_id limit 1", "waiting");
    }
    std::string press(std::string choice, user_id by) {
        auto const id = w.value("select question_id from postrider.question");
        agent::press const pressed{by, "Ann", telegram_message_id{9}, choice, "p1"};
        auto const payload =
            boost::json::serialize(agent::to_json(pressed, {bot_id{1}, chat_id{7}, {}}));
        auto const outcome = w.value(
            "select postrider.press_button('" + id + "', '1:7', " + base::to_string(by) +
            ", false, true, '" + payload + "')"
        );
        engine_node_->engine->wake();
        return outcome;
    }
    void until_over(int jobs) {
        w.until(
            "select count(*) from postrider.job where state = 'completed'", std::to_string(jobs)
        );
    }
    std::string approval(std::string column) {
        return w.value("select " + column + " from postrider.approval");
    }
    std::string told() { return model.requests.at(1).messages.back().content; }
    user_id requester() { return user_id{std::stoll(approval("requester"))}; }

    world w;
    recording_chat chat;
    scripted_model model;
    flow::observer nobody_;
    std::chrono::milliseconds timeout = 1h;
    std::shared_ptr<flow::graph const> graph_ = compiled();
    std::optional<flow::node_services> services_;
    node* engine_node_ = nullptr;
    lane_id lane_{};
};

// covers: S1.02 X.07
TEST_F(approvals, a_pressed_button_lets_the_same_turn_go_on) {
    ask();
    ASSERT_THAT(chat.sent, SizeIs(1));
    EXPECT_THAT(chat.sent[0].content.text, HasSubstr("remove\n  path: \"a.txt\""));
    EXPECT_THAT(state.removed, IsEmpty());
    EXPECT_EQ(press("approve", user_id{666}), "not_yours");
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);

    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    EXPECT_EQ(told(), "removed");
    EXPECT_EQ(
        approval("state || ' ' || decided_via || ' ' || (used_at is not null)::text"),
        "approved button true"
    );
    ASSERT_THAT(chat.edited, SizeIs(1));
    EXPECT_THAT(chat.edited[0].second.text, HasSubstr("Approved"));
    EXPECT_THAT(chat.edited[0].second.buttons, IsEmpty());
    EXPECT_EQ(chat.sent.back().content.text, "It is done.");
    EXPECT_EQ(w.value("select count(*) from postrider.question"), "0");
}

// covers: S1.03
TEST_F(approvals, a_clear_no_in_words_rejects_it_and_the_model_is_told) {
    ask();
    say("no, please don't");
    until_over(2);

    EXPECT_THAT(state.removed, IsEmpty());
    EXPECT_THAT(told(), HasSubstr("rejected this call"));
    EXPECT_THAT(model.requests, SizeIs(2)) << "the answer had no turn of its own";
    EXPECT_EQ(approval("state || ' ' || decided_via"), "rejected text");
}

TEST_F(approvals, a_clear_yes_in_words_approves_it) {
    ask();
    say("yes");
    until_over(2);
    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    EXPECT_EQ(approval("state"), "approved");
}

TEST_F(approvals, other_words_withdraw_the_question_and_have_their_own_turn) {
    ask();
    say("How are you?");
    until_over(2);

    EXPECT_THAT(state.removed, IsEmpty());
    EXPECT_THAT(told(), HasSubstr("withdrawn"));
    ASSERT_THAT(model.requests, SizeIs(3));
    EXPECT_EQ(model.requests[2].messages.back().content, "How are you?");
    EXPECT_EQ(approval("state"), "withdrawn");
    EXPECT_THAT(chat.edited.at(0).second.text, HasSubstr("Withdrawn"));
}

TEST_F(approvals, are_decided_over_the_api_too) {
    ask();
    auto const id = approval("approval_id");
    storage::approval_decision decision;
    w.in_transaction([&](storage::transaction& tx) {
        decision = storage::decide_approval(tx, id, true, user_id{1}, "api");
    });
    EXPECT_TRUE(decision.done) << decision.detail;
    engine_node_->engine->wake();
    until_over(1);
    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    EXPECT_THAT(chat.edited.at(0).second.text, HasSubstr("Approved"));
}

// covers: X.07
TEST_F(approvals, are_for_what_was_asked_about_and_nothing_else) {
    ask();
    state.description = "Removes a whole disk.";
    graph_ = compiled();
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);

    EXPECT_THAT(state.removed, IsEmpty());
    EXPECT_THAT(told(), HasSubstr("withdrawn"));
    EXPECT_EQ(approval("state"), "withdrawn");
}

// covers: X.07 E.08
TEST_F(approvals, survive_the_process) {
    ask();
    auto const before = model.requests.size();
    w.io.run(engine_node_->engine->drain(5s));
    start();
    EXPECT_EQ(press("approve", requester()), "taken");
    until_over(1);
    EXPECT_THAT(state.removed, ElementsAre("a.txt"));
    EXPECT_EQ(model.requests.size(), before + 1) << "no model call was repeated";
    EXPECT_THAT(chat.sent, SizeIs(2)) << "it was asked once";
}

} // namespace
} // namespace postrider::tests
