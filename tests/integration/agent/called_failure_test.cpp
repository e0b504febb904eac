// Flows that fail where their caller goes on, over several runs of the job, on the real w.
#include "agent/flow/catalog.hpp"
#include "agent/flow/watch/retrace.hpp"
#include "tests/integration/queue/steps.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::called_failure_test {

namespace {

namespace flow = agent::flow;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using graph_ptr = std::shared_ptr<flow::graph const>;

// A confirmation would follow a short rest; beside it the flow fails. A later run is served the rest.
auto const order = flow_builder("order")
                       .trigger("In", "manual")
                       .node("Rest", "wait", {{"duration", "1ms"}})
                       .node("Edit", "telegram.edit", {{"message", 5}, {"text", "confirmed"}})
                       .node("Send", "telegram.send", {{"text", "confirmed"}})
                       .after("In")
                       .node("Stop", "stop", {{"message", "no stock"}})
                       .text();

flow_builder shop_named(std::string_view name) {
    return flow_builder(name)
        .trigger("In", "manual")
        .node("Call", "call_flow", {{"flow", "order"}})
        .with("on_error", "error_output")
        .after("Call", "error")
        .node("Refuse", "telegram.send", {{"text", "refused"}})
        .node("W1", "wait", {{"duration", "1h"}})
        .node("W2", "wait", {{"duration", "1h"}});
}

auto const shop = shop_named("shop").text();

// The same beside another branch.
auto const busy_shop =
    shop_named("busy_shop").after("In").node("Other", "wait", {{"duration", "10h"}}).text();

auto const listening = flow_builder("listening")
                           .trigger("In", "manual")
                           .node("W1", "wait", {{"event", "go"}})
                           .after("In")
                           .node("Stop", "stop", {{"message", "no stock"}})
                           .text();

auto const listener = flow_builder("listener")
                          .trigger("In", "manual")
                          .node("Call", "call_flow", {{"flow", "listening"}})
                          .with("on_error", "continue")
                          .node("Pause", "wait", {{"event", "go"}, {"timeout", "1h"}})
                          .node("Said", "telegram.send", {{"text", "went on"}})
                          .text();

// Its message is committed when it fails.
auto const speaking = flow_builder("speaking")
                          .trigger("In", "manual")
                          .node("Say", "telegram.send", {{"text", "confirmed"}})
                          .after("In")
                          .node("Stop", "stop", {{"message", "no stock"}})
                          .text();

auto const speaker = flow_builder("speaker")
                         .trigger("In", "manual")
                         .node("Call", "call_flow", {{"flow", "speaking"}})
                         .with("on_error", "continue")
                         .node("Said", "telegram.send", {{"text", "refused"}})
                         .text();

auto const asking = flow_builder("asking")
                        .trigger("In", "manual")
                        .node("A", "agent", {{"prompt", "how?"}})
                        .part("MA", "model", {{"model", "a"}})
                        .after("In")
                        .node("B", "agent", {{"prompt", "how?"}})
                        .part("MB", "model", {{"model", "b"}})
                        .text();

auto const router =
    flow_builder("router")
        .trigger("In", "manual")
        .node("Call", "call_flow", {{"flow", "asking"}})
        .with("on_error", "error_output")
        .after("Call", "error")
        .node("If", "if", {{"condition", "{{ $json.error.message.contains('a is out') }}"}})
        .after("If", "true")
        .node("SA", "telegram.send", {{"text", "a"}})
        .after("If", "false")
        .node("SB", "telegram.send", {{"text", "b"}})
        .after("SA")
        .node("W", "wait", {{"duration", "1h"}})
        .connect("SB", "W")
        .text();

// Fails for good once it is let go.
class failing_model final : public agent::model {
public:
    failing_model(std::string name, loop& io) : door(io), name_(std::move(name)) {}

    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {}; }
    base::awaitable<base::result<agent::chat_reply>> chat(agent::chat_request) override {
        (void)co_await pass_through(door);
        co_return base::error(base::errc::invalid, name_ + " is out");
    }

    latch door;

private:
    std::string name_;
};

class called_failure : public engine_fixture {
protected:
    called_failure() {
        static auto const types = flow::builtin_types();
        for (auto document :
             {order, shop, busy_shop, listening, listener, speaking, speaker, asking, router}) {
            auto read = std::get<flow::definition>(flow::read_definition(document));
            auto const name = read.name;
            graphs_[name] = std::get<graph_ptr>(flow::graph::compile(std::move(read), types));
        }
    }

    void start(std::string const& name) {
        started_ = name;
        auto run = [this](queue::workflow& steps) {
            return flow::execute(*graphs_.at(started_), steps, *services_, nobody_);
        };
        auto& node = w.start_node({{std::string(flow::flow_kind), run}});
        services_.emplace(assistant_services(
            *node.quick,
            chat,
            base::system_clock(),
            base::system_random(),
            {.others = {{"a", {.model = &a}}, {"b", {.model = &b}}}}
        ));
        services_->current_version = [](std::string_view) { return 1; };
        services_->find_flow = [this](std::string which, std::int64_t) {
            return find(std::move(which));
        };
        flow::execution_input input;
        input.flow = name;
        input.version = 1;
        input.heard = flow::heard_message{
            {bot_id{1}, chat_id{7}, thread_id{0}}, user_id{7}, telegram_message_id{50}};
        auto const lane = w.make_lane("1:7:0");
        w.enqueue(node, lane, std::string(flow::flow_kind), to_json(input));
    }

    void until_it_waits_for(std::string const& reason) {
        w.until("select wait_reason from postrider.job", reason);
    }
    void until_completed(std::string const& degraded_by = "") {
        w.until("select finished_at is not null from postrider.job", "t");
        EXPECT_EQ(
            w.value("select state || ' ' || coalesce(degraded_reason, '') from postrider.job"),
            "completed " + degraded_by
        );
    }

    std::vector<std::string> said() const {
        std::vector<std::string> texts;
        for (auto const& message : chat.sent) texts.push_back(message.content.text);
        return texts;
    }
    std::string steps_like(std::string const& pattern) {
        return w.value(
            "select string_agg(key, ',' order by key) from postrider.step where key like '" +
            pattern + "'"
        );
    }
    flow::retraced retraced() {
        std::optional<queue::recording> record;
        w.in_transaction([&](auto& tx) {
            auto const id =
                tx.query(storage::statement{"test", "select job_id from postrider.job"});
            record = queue::read_recording(tx, id.front().template id<job_id>(0));
        });
        auto& graph = *graphs_.at(started_);
        return w.io.run(flow::retrace(graph, *record, *services_)).value();
    }

    failing_model a{"a", w.io};
    failing_model b{"b", w.io};
    recording_chat chat;

private:
    base::awaitable<base::result<graph_ptr>> find(std::string name) { co_return graphs_.at(name); }

    flow::observer nobody_;
    std::string started_;
    std::map<std::string, graph_ptr> graphs_;
    std::optional<flow::node_services> services_;
};

class called_failure_beside : public called_failure,
                              public testing::WithParamInterface<std::string> {};

// covers: S3.17
TEST_P(called_failure_beside, does_nothing_more_in_later_runs) {
    start(GetParam());
    until_it_waits_for("sleep w1/wait");
    w.pass("61 minutes");
    until_it_waits_for("sleep w2/wait");
    w.pass("12 hours");
    until_completed();

    EXPECT_THAT(said(), ElementsAre("refused"));
    EXPECT_THAT(chat.edited, IsEmpty());
    EXPECT_EQ(w.value("select count(*) from postrider.message where delivery = 'pending'"), "0");
    EXPECT_EQ(steps_like("call/1/%"), "call/1/failed,call/1/rest/wait,call/1/version");
    EXPECT_EQ(
        w.value("select string_agg(key || ' ' || state, ', ') from postrider.effect"),
        "refuse/send done"
    );
    auto const shown = retraced();
    EXPECT_THAT(shown.missing, IsEmpty());
    EXPECT_THAT(shown.unasked, IsEmpty());
    ASSERT_NE(shown.outcome, std::nullopt);
    EXPECT_EQ(shown.outcome->state, queue::job_state::completed);
}

INSTANTIATE_TEST_SUITE_P(
    callers,
    called_failure_beside,
    testing::Values("shop", "busy_shop"),
    [](auto const& caller) { return caller.param; }
);

// A job that was parked before failures were recorded.
// covers: S3.17
TEST_F(called_failure, that_the_record_does_not_have_is_added_to_it) {
    start("shop");
    until_it_waits_for("sleep w1/wait");
    w.execute("delete from postrider.step where key = 'call/1/failed'");
    auto const before = retraced();
    EXPECT_THAT(before.missing, Contains("w1/wait")) << "it is shown all the same";

    w.pass("61 minutes");
    until_it_waits_for("sleep w2/wait");
    EXPECT_EQ(steps_like("call/1/failed"), "call/1/failed");
    w.pass("61 minutes");
    until_completed();

    EXPECT_THAT(said(), ElementsAre("refused"));
}

// covers: S3.17
TEST_F(called_failure, leaves_events_to_its_caller) {
    start("listener");
    until_it_waits_for("event go");
    EXPECT_EQ(w.value("select string_agg(key, ',') from postrider.wait"), "pause/event");

    w.execute("select postrider.job_send_event(job_id, 'go') from postrider.job");
    until_completed("node_failed");

    EXPECT_THAT(said(), ElementsAre("went on"));
    EXPECT_EQ(steps_like("%/event"), "pause/event");
}

// covers: S3.17
TEST_F(called_failure, leaves_no_message_pending) {
    start("speaker");
    until_completed("node_failed");

    EXPECT_THAT(said(), ElementsAre("refused"));
    EXPECT_EQ(
        w.value("select string_agg(content || ' ' || delivery, ', ' order by position) "
                "from postrider.message"),
        "confirmed failed, refused sent"
    );
}

class called_failures : public called_failure, public testing::WithParamInterface<std::string> {};

// Whichever node stands first in the document, and is served first by a later run.
// covers: S3.17
TEST_P(called_failures, of_two_nodes_lead_the_caller_by_the_first_in_every_run) {
    auto& sooner = GetParam() == "a" ? a : b;
    auto& later = GetParam() == "a" ? b : a;
    start("router");
    w.until([&] { return a.door.arrived == 1 && b.door.arrived == 1; });
    sooner.door.let_go();
    w.until(
        "select string_agg(key, ',') from postrider.step where outcome = 'failed'",
        "call/1/" + GetParam() + "/model"
    );
    later.door.let_go();
    until_it_waits_for("sleep w/wait");
    w.pass("2 hours");
    until_completed();

    EXPECT_THAT(said(), ElementsAre(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(sooner, called_failures, testing::Values("a", "b"), [](auto const& node) {
    return node.param;
});

} // namespace

} // namespace postrider::tests::called_failure_test
