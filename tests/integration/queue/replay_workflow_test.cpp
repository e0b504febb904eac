// What a job did on a real Postgres, run over again.
#include "queue/run/replay_workflow.hpp"
#include "tests/integration/queue/steps.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests {

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
        auto how = co_await do_everything(flow, book);
        co_return boost::json::serialize(how.output);
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

} // namespace

} // namespace postrider::tests
