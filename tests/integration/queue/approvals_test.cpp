// A call that waits for a person's word: who decides, and what becomes of the turn.
#include "storage/stores/approvals.hpp"
#include "storage/stores/questions.hpp"
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::approvals_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;
using storage::approval_decision;
using testing::ElementsAre;

// Its time begins with the question's.
storage::write approval_of(workflow& flow, std::string call, std::string method = "DELETE") {
    return storage::add_approval(
        {.id = "id-" + call,
         .job = flow.job().id,
         .lane = flow.job().lane,
         .requester = user_id{7},
         .question = "question",
         .call = std::move(call),
         .tool = "http_request",
         .arguments = {{"url", "https://example.org"}, {"method", method}},
         .digest = "d",
         .lifetime = 1ms}
    );
}

// Asks about two calls at once.
awaitable<outcome> ask(workflow& flow, std::chrono::milliseconds lifetime) {
    queue::commit_with asked;
    asked.writes.push_back(storage::open_question(
        {.id = "question", .job = flow.job().id, .place = "1:7", .only = {}, .open_for = 1ms}
    ));
    asked.writes.push_back(approval_of(flow, "tool:1"));
    asked.writes.push_back(approval_of(flow, "tool:2"));
    (void)co_await flow.commit(std::move(asked));
    flow.add(storage::begin_question("question", lifetime));
    queue::awaited_event decided{
        .type = std::string(storage::press_event), .match = "question", .timeout = lifetime};
    auto answer = co_await flow.wait_for_event("question", std::move(decided));
    if (!answer) co_return outcome::failed(answer.error());
    co_return outcome::completed(*answer);
}

class approvals : public engine_fixture {
protected:
    void start(std::chrono::milliseconds lifetime = 1h) {
        asking =
            &w.start_node({{"turn", [lifetime](workflow& flow) { return ask(flow, lifetime); }}});
        w.enqueue(*asking, w.make_lane("chat"), "turn");
        asking->engine->wake();
        w.until("select state from postrider.job", "waiting");
    }

    approval_decision decide(
        std::string id, bool approve, std::optional<user_id> of = std::nullopt
    ) {
        approval_decision decision;
        w.in_transaction([&](storage::transaction& tx) {
            decision = storage::decide_approval(tx, id, approve, user_id{7}, "api", of);
        });
        asking->engine->wake();
        return decision;
    }

    std::vector<std::string> listed(storage::approval_filter filter) {
        std::vector<std::string> ids;
        w.in_transaction([&](storage::transaction& tx) {
            ids.clear();
            for (auto const& found : storage::list_approvals(tx, filter))
                ids.push_back(found.id + " " + found.state);
        });
        return ids;
    }

    node* asking = nullptr;
};

} // namespace

TEST_F(approvals, let_the_turn_go_on_once_every_call_is_decided) {
    start();
    EXPECT_TRUE(decide("id-tool:1", true).done);
    EXPECT_EQ(w.value("select count(*) from postrider.event"), "0") << "the second waits still";
    EXPECT_TRUE(decide("id-tool:2", false).done);
    w.until("select state from postrider.job", "completed");
    EXPECT_EQ(
        w.value("select output from postrider.job"),
        R"({"calls": {"tool:1": {"by": 7, "via": "api", "state": "approved"}, )"
        R"("tool:2": {"by": 7, "via": "api", "state": "rejected"}}})"
    );
}

TEST_F(approvals, are_decided_once) {
    start();
    EXPECT_TRUE(decide("id-tool:1", false).done);
    auto const again = decide("id-tool:1", true);
    EXPECT_FALSE(again.done);
    EXPECT_EQ(again.code, "over");
    EXPECT_EQ(again.state, "rejected");
    EXPECT_EQ(decide("nothing", true).code, "not_found");
}

TEST_F(approvals, of_somebody_else_are_not_found) {
    start();
    EXPECT_EQ(decide("id-tool:1", true, user_id{8}).code, "not_found");
    EXPECT_TRUE(decide("id-tool:1", true, user_id{7}).done);
    EXPECT_THAT(listed({.requester = user_id{8}}), ElementsAre());
}

TEST_F(approvals, change_nothing_when_their_time_is_up) {
    start(3s);
    w.execute("update postrider.approval set expires_at = now() - interval '1 s'");
    auto const late = decide("id-tool:1", true);
    EXPECT_FALSE(late.done);
    EXPECT_EQ(late.detail, "its time is up");
    EXPECT_EQ(late.state, "expired");
    EXPECT_THAT(listed({.state = "waiting"}), ElementsAre());
    EXPECT_EQ(w.value("select state from postrider.approval where call = 'tool:1'"), "waiting");
}

// The record says how the wait ended; a press that comes then changes nothing.
TEST_F(approvals, change_nothing_once_the_question_is_over) {
    start();
    w.execute("delete from postrider.question"); // as a press does, or the turn itself
    auto const late = decide("id-tool:1", true);
    EXPECT_FALSE(late.done);
    EXPECT_EQ(late.detail, "nobody waits for it any more");
}

TEST_F(approvals, of_a_turn_that_was_cancelled_are_over) {
    start();
    w.execute("select postrider.job_cancel(job_id) from postrider.job");
    auto const late = decide("id-tool:1", true);
    EXPECT_FALSE(late.done);
    EXPECT_EQ(late.detail, "its turn is over");
    EXPECT_EQ(late.state, "withdrawn");
    EXPECT_THAT(listed({.state = "waiting"}), ElementsAre());
    EXPECT_THAT(
        listed({.state = "withdrawn"}), ElementsAre("id-tool:2 withdrawn", "id-tool:1 withdrawn")
    );
}

// Between the end of a wait and the turn's next commit: what was decided has been read by then.
TEST_F(approvals, change_nothing_while_nobody_waits) {
    start();
    w.execute("delete from postrider.wait");
    auto const late = decide("id-tool:1", true);
    EXPECT_FALSE(late.done);
    EXPECT_EQ(late.code, "not_yet");
    EXPECT_EQ(late.state, "waiting");
}

TEST_F(approvals, are_listed_by_state_and_page) {
    start();
    EXPECT_TRUE(decide("id-tool:2", true).done);
    EXPECT_THAT(listed({.state = "waiting"}), ElementsAre("id-tool:1 waiting"));
    EXPECT_THAT(listed({.limit = 1}), ElementsAre("id-tool:2 approved"));
    EXPECT_THAT(listed({.before = "id-tool:2"}), ElementsAre("id-tool:1 waiting"));
}

// A server's schema may say so of a default: jsonb has no such character.
TEST_F(approvals, hold_arguments_with_any_character) {
    auto& node = w.start_node({{"turn", [](workflow& flow) -> awaitable<outcome> {
                                    flow.add(approval_of(flow, "tool:1", std::string("GET\0", 4)));
                                    co_return outcome::completed();
                                }}});
    w.enqueue(node, w.make_lane("chat"), "turn");
    node.engine->wake();
    w.until("select state from postrider.job", "completed");
    EXPECT_EQ(w.value("select arguments ->> 'method' from postrider.approval"), "GET\ufffd");
}

TEST_F(approvals, are_kept_while_their_turn_lives) {
    start();
    w.execute("update postrider.approval set created_at = now() - interval '40 days'");
    EXPECT_EQ(w.value("select postrider.prune_approvals('30 days')"), "0");
    decide("id-tool:1", true);
    decide("id-tool:2", true);
    w.until("select state from postrider.job", "completed");
    EXPECT_EQ(w.value("select postrider.prune_approvals('30 days')"), "2");
}

} // namespace postrider::tests::approvals_test
