// What a job did on a real Postgres, run over again.
#include "queue/admin/replay_workflow.hpp"
#include "tests/integration/queue/steps.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

namespace postrider::tests::replay_workflow_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

int calls = 0;

awaitable<queue::step_value> count_and_give(boost::json::value value) {
    ++calls;
    co_return value;
}

awaitable<queue::step_value> count_and_refuse() {
    ++calls;
    co_return base::error(base::errc::refused, "no");
}

void tell(diary& book, std::string name, queue::step_value const& value) {
    book.push_back(
        name + " " + (value ? boost::json::serialize(*value) : base::to_string(value.error()))
    );
}

awaitable<void> ask_in_a_branch(workflow& flow, diary& book, std::string name) {
    auto value =
        co_await flow.run(name, {}, [&] { return count_and_give(boost::json::string(name)); });
    tell(book, name, value);
}

// Everything that a job can do.
awaitable<outcome> do_everything(workflow& flow, diary& book) {
    for (int i = 0; i < 2; ++i) {
        auto value = co_await flow.run("again", {}, [&] { return count_and_give(i); });
        tell(book, "again", value);
    }
    auto held = co_await flow.try_step("held", {}, [] { return count_and_give("held"); });
    queue::commit_with more;
    more.effects.push_back({"send", "test.send", queue::effect_class::at_most_once, nullptr, false}
    );
    (void)co_await flow.commit(std::move(more));
    tell(book, "held", held);
    auto sent = co_await flow.perform("send", {}, [] { return count_and_give("sent"); });
    tell(book, "send", sent);
    auto refused = co_await flow.run("refused", {}, count_and_refuse);
    tell(book, "refused", refused);
    co_await flow.sleep("nap", 5ms);
    queue::awaited_event reply{"reply"};
    auto heard = co_await flow.wait_for_event("heard", std::move(reply));
    tell(book, "heard", heard);
    std::vector<queue::branch> branches;
    branches.push_back([&] { return ask_in_a_branch(flow, book, "a/1"); });
    branches.push_back([&] { return ask_in_a_branch(flow, book, "b/1"); });
    co_await flow.parallel(std::move(branches));
    tell(book, "input", flow.job().input);
    co_return outcome::completed("all");
}

queue::recording record_of(world& w, job_id job) {
    std::optional<queue::recording> found;
    w.in_transaction([&](auto& tx) { found = queue::read_recording(tx, job); });
    return found.value();
}

awaitable<std::string> run_over_again(workflow flow, diary& book) {
    try {
        auto ended = co_await do_everything(flow, book);
        co_return boost::json::serialize(ended.output);
    } catch (queue::suspended const&) {
        co_return "suspended";
    }
}

TEST(replay_workflow, sees_what_the_run_saw) {
    world w;
    calls = 0;
    diary ran;
    auto& node = w.start_node({{"job", [&](workflow& f) {
                                    ran.clear(); // of a run before it was parked
                                    return do_everything(f, ran);
                                }}});
    auto const job = w.enqueue(node, w.make_lane("a"), "job", {{"x", 1}}).id;
    w.until("select state from postrider.job", "waiting");

    auto const half = record_of(w, job);
    diary seen_half;
    queue::replay_workflow waiting(w.io.executor(), half);
    EXPECT_EQ(w.io.run(run_over_again(waiting, seen_half)), "suspended");
    EXPECT_THAT(waiting.missing(), ElementsAre("heard"));
    EXPECT_EQ(seen_half, ran);

    w.execute("select postrider.deliver_event(lane_id, null, 'reply', '{\"y\": 2}', null) "
              "from postrider.lane");
    w.until("select state from postrider.job", "completed");
    int const called = calls;
    auto const rows = w.value("select count(*) from postrider.step");

    auto const all = record_of(w, job);
    diary seen;
    queue::replay_workflow over(w.io.executor(), all);
    EXPECT_EQ(w.io.run(run_over_again(over, seen)), "\"all\"");
    EXPECT_EQ(seen, ran);
    EXPECT_THAT(over.missing(), IsEmpty());
    EXPECT_THAT(over.unasked(), IsEmpty());
    EXPECT_GT(over.moment(), 0us);
    EXPECT_EQ(calls, called) << "nothing is done again";
    EXPECT_EQ(w.value("select count(*) from postrider.step"), rows);
}

// As watching does: an execution of some hundred steps goes on, and only what is new is read.
TEST(replay_workflow, an_update_reads_the_rows_that_are_new) {
    world w;
    auto& node = w.start_node({{"job", [](workflow& flow) -> awaitable<outcome> {
                                    queue::awaited_event reply{"reply"};
                                    (void)co_await flow.wait_for_event("heard", std::move(reply));
                                    co_return outcome::completed("all");
                                }}});
    auto const job = w.enqueue(node, w.make_lane("a"), "job", {{"x", 1}}).id;
    w.until("select state from postrider.job", "waiting");
    auto const add_steps = [&](int from, int to) {
        w.execute(fmt::format(
            "insert into postrider.step (job_id, key, attempt, seq, outcome, result, started_at, "
            "ended_at, node_id) select job_id, 'n/' || n, 1, n, 'done', to_jsonb(repeat('x', "
            "1000)), "
            "created_at + n * interval '5 s', created_at + n * interval '5 s', 1 "
            "from postrider.job, generate_series({}, {}) n",
            from,
            to
        ));
    };
    add_steps(1, 300);
    std::optional<queue::recording> kept;
    auto const update = [&] {
        std::optional<std::size_t> rows;
        w.in_transaction([&](auto& tx) { rows = queue::update_recording(tx, job, kept); });
        return rows;
    };

    EXPECT_EQ(update(), 300u) << "the first time all of them";
    for (int n = 301; n <= 320; ++n) {
        add_steps(n, n);
        EXPECT_EQ(update(), 2u) << "the new one, and the last again";
    }

    auto const anew = record_of(w, job);
    ASSERT_EQ(kept->details.steps.size(), 320u);
    for (std::size_t i = 0; i < anew.details.steps.size(); ++i)
        EXPECT_EQ(kept->details.steps[i].key, anew.details.steps[i].key);
    EXPECT_EQ(kept->details.waits.size(), 1u);

    add_steps(1000, 1000);
    w.execute("update postrider.step set ended_at = started_at - interval '1 h' where seq = 1000");
    EXPECT_EQ(update(), 321u) << "what was committed late lets it be read anew";
    w.execute("update postrider.job set restarts = restarts + 1");
    EXPECT_EQ(update(), 321u);
}

} // namespace

} // namespace postrider::tests::replay_workflow_test
