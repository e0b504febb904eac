// A past that is run over again, in memory.
#include "queue/admin/replay_workflow.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>

namespace postrider::queue::replay_workflow_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using std::chrono::microseconds;
using testing::ElementsAre;
using testing::IsEmpty;

// Times in milliseconds after the job's creation.
step_summary done(std::string key, int begins, int ends, boost::json::value result = nullptr) {
    step_summary step;
    step.key = std::move(key);
    step.outcome = "done";
    step.begins = begins * 1ms;
    step.took = (ends - begins) * 1ms;
    step.result = std::move(result);
    return step;
}

step_summary failed(std::string key, int ends, std::string error_class, std::string error) {
    auto step = done(std::move(key), ends, ends);
    step.outcome = error_class == "unavailable" ? "retry" : "failed";
    step.error_class = std::move(error_class);
    step.error = std::move(error);
    return step;
}

recording record_of(std::vector<step_summary> steps, microseconds age = 1h) {
    recording record;
    record.details.job.age = age;
    record.details.steps = std::move(steps);
    return record;
}

awaitable<step_value> must_not_run() {
    ADD_FAILURE() << "a step was done";
    co_return nullptr;
}

awaitable<step_value> ask(workflow flow, std::string name) {
    return flow.run(std::move(name), {}, must_not_run);
}

// "END" or "suspended", after what the function told.
using diary = std::vector<std::string>;

awaitable<void> tell_end(awaitable<void> work, diary& book) {
    try {
        co_await std::move(work);
        book.push_back("END");
    } catch (suspended const&) {
        book.push_back("suspended");
    }
}

struct past : testing::Test {
    tests::loop io;
    diary book;

    template<class Function>
    std::unique_ptr<replay_workflow> over_again(recording const& record, Function function) {
        auto flow = std::make_unique<replay_workflow>(io.executor(), record);
        io.run(tell_end(function(*flow, book), book));
        return flow;
    }
};

awaitable<void> ask_twice_and_once(workflow flow, diary& book) {
    for (auto name : {"a", "a", "b"}) {
        auto value = co_await ask(flow, name);
        book.push_back(value ? std::string(value->as_string()) : to_string(value.error()));
    }
}

TEST_F(past, is_served_with_values_and_failures) {
    auto const record = record_of(
        {done("a", 0, 1, "one"),
         failed("a#2", 2, "unavailable", "at first"),
         failed("a#2", 4, "refused", "no"),
         done("b", 5, 6, "three")}
    );

    auto flow = over_again(record, ask_twice_and_once);

    EXPECT_THAT(book, ElementsAre("one", "refused: no", "three", "END"));
    EXPECT_EQ(flow->moment(), 6ms);
    EXPECT_THAT(flow->missing(), IsEmpty());
    EXPECT_THAT(flow->unasked(), IsEmpty());
}

TEST_F(past, ends_where_the_record_does) {
    auto const record = record_of(
        {done("a", 0, 1, "one"), failed("a#2", 2, "unavailable", "is tried again"), done("c", 3, 4)}
    );

    auto flow = over_again(record, ask_twice_and_once);

    EXPECT_THAT(book, ElementsAre("one", "suspended"));
    EXPECT_THAT(flow->missing(), ElementsAre("a#2"));
    EXPECT_THAT(flow->unasked(), ElementsAre("c"));
}

TEST_F(past, is_of_this_life_and_of_what_was_meant) {
    auto const record =
        record_of({done("a~1", 0, 1, "before the restart"), done("undo:a", 2, 3, "undone")});

    auto flow = over_again(record, ask_twice_and_once);

    EXPECT_THAT(flow->missing(), ElementsAre("a"));
    EXPECT_THAT(flow->unasked(), IsEmpty());
}

awaitable<void> ask_with_everything(workflow flow, diary& book) {
    book.push_back(flow.recorded("held") ? "known" : "new");
    auto held = co_await flow.try_step("held", {}, must_not_run);
    commit_with more;
    more.effects.push_back({"send", "telegram.send", effect_class::keyed, nullptr, true});
    more.unless_edited = true;
    auto written = co_await flow.commit(std::move(more));
    book.push_back(written ? "written" : "stale");
    auto passed = co_await flow.admit("model", 1ms);
    book.push_back(passed ? "passed" : "shut");
    flow.on_rollback("held", must_not_run, {});
    flow.add({});
    book.push_back(flow.planned("send") ? "planned" : "unplanned");
    auto sent = co_await flow.perform("send", {}, must_not_run);
    co_await flow.sleep("nap", 1h);
    awaited_event reply{"reply"};
    auto heard = co_await flow.wait_for_event("heard", std::move(reply));
    for (auto const& value : {held, sent, heard})
        book.push_back(std::string(value.value().as_string()));
    book.push_back(flow.recorded("held") ? "known" : "new");
    flow.start_over();
    book.push_back(flow.recorded("held") ? "known" : "new");
}

TEST_F(past, has_held_steps_effects_sleeps_and_events) {
    auto nap = done("nap", 3, 3);
    nap.next = 9ms;
    auto record =
        record_of({done("held", 0, 1, "x"), done("send", 2, 3, "y"), nap, done("heard", 9, 12, "z")}
        );
    record.details.effects.push_back({"send", "telegram.send", "keyed", "done", false, {}, {}});

    over_again(record, ask_with_everything);

    EXPECT_THAT(
        book,
        ElementsAre("known", "written", "passed", "planned", "x", "y", "z", "new", "known", "END")
    );
}

TEST_F(past, does_not_wait_for_the_end_of_a_sleep) {
    auto nap = done("nap", 3, 3);
    nap.next = 9ms;
    auto const record = record_of({done("held", 0, 1, "x"), done("send", 2, 3, "y"), nap}, 8ms);

    auto flow = over_again(record, ask_with_everything);

    EXPECT_EQ(book.back(), "suspended");
    EXPECT_THAT(flow->missing(), ElementsAre("nap"));
}

awaitable<void> read_only_scope(workflow flow, diary& book) {
    auto called = flow.read_only().scope("called");
    co_await called.sleep("nap", 1h);
    book.push_back("passed over");
    (void)co_await ask(called, "new");
}

// Of work whose end stands in the record: what a branch of it had yet to do, nobody waits for.
// covers: S3.17
TEST_F(past, of_work_that_has_ended_passes_over_its_sleeps_and_misses_nothing) {
    auto nap = done("called/nap", 3, 3);
    nap.next = 9ms;
    auto const record = record_of({nap}, 8ms);

    auto flow = over_again(record, read_only_scope);

    EXPECT_THAT(book, ElementsAre("passed over", "suspended"));
    EXPECT_EQ(flow->moment(), 3ms);
    EXPECT_THAT(flow->missing(), IsEmpty());
    EXPECT_THAT(flow->unasked(), IsEmpty());
}

awaitable<void> ask_all(workflow flow, diary& book, std::vector<std::string> names) {
    for (auto const& name : names) {
        (void)co_await ask(flow, name);
        book.push_back(name);
    }
}

awaitable<void> ask_inside(workflow flow, diary& book) {
    std::vector<branch> inner;
    inner.push_back([&] { return ask_all(flow, book, {"c/1"}); });
    inner.push_back([&] { return ask_all(flow, book, {"d/1"}); });
    co_await flow.parallel(std::move(inner));
    book.push_back("inside");
}

awaitable<void> ask_side_by_side(workflow flow, diary& book) {
    (void)co_await ask(flow, "first");
    std::vector<branch> branches;
    branches.push_back([&] { return ask_all(flow, book, {"a/1", "a/2"}); });
    branches.push_back([&] { return ask_all(flow, book, {"b/1", "b/2", "b/3"}); });
    branches.push_back([&] { return ask_inside(flow, book); });
    co_await flow.parallel(std::move(branches));
    (void)co_await ask(flow, "last");
    book.push_back("last");
}

std::vector<step_summary> side_by_side() {
    return {
        done("first", 0, 10),
        done("b/1", 10, 11),
        done("b/2", 11, 12),
        done("a/1", 10, 13),
        done("d/1", 10, 14),
        done("b/3", 12, 15),
        done("a/2", 13, 16),
        done("c/1", 10, 17),
        done("last", 17, 20)};
}

TEST_F(past, of_branches_comes_in_the_order_of_the_record) {
    auto flow = over_again(record_of(side_by_side()), ask_side_by_side);

    EXPECT_THAT(
        book, ElementsAre("b/1", "b/2", "a/1", "d/1", "b/3", "a/2", "c/1", "inside", "last", "END")
    );
    EXPECT_EQ(flow->moment(), 20ms);
}

// What somebody saw of a shorter record is the beginning of what a longer one shows.
TEST_F(past, only_grows) {
    auto const all = side_by_side();
    diary before;
    for (std::size_t n = 0; n <= all.size(); ++n) {
        book.clear();
        over_again(record_of({all.begin(), all.begin() + static_cast<long>(n)}), ask_side_by_side);
        EXPECT_EQ(book.back(), n == all.size() ? "END" : "suspended");
        book.pop_back();
        ASSERT_GE(book.size(), before.size());
        EXPECT_TRUE(std::equal(before.begin(), before.end(), book.begin())) << n;
        before = book;
    }
    EXPECT_EQ(before.size(), 9u);
}

awaitable<void> fail_in_a_branch(workflow flow, diary& book) {
    std::vector<branch> branches;
    branches.push_back([&] { return ask_all(flow, book, {"a/1", "a/2"}); });
    branches.push_back([]() -> awaitable<void> { throw std::runtime_error("a defect"); });
    co_await flow.parallel(std::move(branches));
}

TEST_F(past, of_a_branch_that_throws_throws) {
    auto const record = record_of({done("a/1", 0, 1)});

    EXPECT_THROW(over_again(record, fail_in_a_branch), std::runtime_error);
    EXPECT_THAT(book, ElementsAre("a/1"));
}

} // namespace

} // namespace postrider::queue::replay_workflow_test
