// Branches that are given up while their caller goes on, over several runs, on a real Postgres.
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::given_up_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;
using ::testing::IsEmpty;

// A letter is planned, and something else is under way when the branch is given up.
awaitable<void> write_letter(workflow flow, latch& door, diary& book) {
    if (!flow.planned("letter")) {
        queue::commit_with letter;
        letter.effects.push_back({.key = "letter", .kind = "post", .request = nullptr});
        (void)co_await flow.commit(std::move(letter));
    }
    (void)co_await flow.run("look", {}, [&] { return pass_through(door); });
    (void)co_await flow.perform("letter", {}, [&] { return write_into(book, "letter"); });
}

awaitable<void> listen(workflow flow, diary& book) {
    queue::awaited_event go{.type = "go", .timeout = 1h};
    if (co_await flow.wait_for_event("heard", std::move(go))) book.push_back("heard");
}

struct failed_inside {};

// Once the two others are where they are to be given up.
awaitable<void> fail(std::shared_ptr<bool> over, latch& door, world& w) {
    while (door.arrived == 0 || w.value("select count(*) from postrider.wait") != "1")
        co_await base::sleep_for(1ms);
    *over = true;
    door.let_go();
    throw failed_inside{};
}

struct caller {
    world& w;
    latch& door;
    diary& book;
    bool looks = true; // in later runs, at what was given up in the first

    awaitable<outcome> run(workflow& flow) {
        bool const known = flow.recorded("failed");
        if (!known || looks) co_await call(flow.scope("called"), known);
        (void)co_await flow.record_value("failed", true);
        if (!known) flow.scope("called").give_up();
        if (known && !looks) flow.scope("called").skip_unasked();
        co_await flow.sleep("night", 1h);
        co_return outcome::completed();
    }

    awaitable<void> call(workflow flow, bool known) {
        auto const over = std::make_shared<bool>(false);
        auto const steps = known ? flow.read_only() : flow.unless(over);
        std::vector<queue::branch> branches{
            [this, steps] { return write_letter(steps, door, book); },
            [this, steps] { return listen(steps, book); }};
        if (!known) branches.emplace_back([this, over] { return fail(over, door, w); });
        try {
            co_await flow.parallel(std::move(branches));
        } catch (failed_inside const&) {
        } catch (queue::suspended const&) {
            if (!known) throw;
        }
    }
};

struct given_up : testing::Test {
    void run_to_the_night() {
        auto& node = w.start_node({{"job", [this](workflow& flow) { return job.run(flow); }}});
        w.enqueue(node, w.make_lane("a"), "job");
        w.until("select wait_reason from postrider.job", "sleep night");
    }
    std::string letter() { return w.value("select state from postrider.effect"); }

    world w;
    latch door{w.io};
    diary book;
    caller job{w, door, book};
};

// covers: S3.17
TEST_F(given_up, branches_leave_no_effect_in_doubt_and_no_wait) {
    run_to_the_night();

    EXPECT_THAT(book, IsEmpty());
    EXPECT_EQ(letter(), "failed") << "it was planned, and never begun";
    EXPECT_EQ(w.value("select count(*) from postrider.wait"), "0");
    EXPECT_EQ(w.value("select outcome from postrider.step where key = 'called/look'"), "done")
        << "it was under way";
}

// covers: S3.17
TEST_F(given_up, branches_do_nothing_in_later_runs_which_look_at_them) {
    run_to_the_night();
    EXPECT_EQ(
        w.value("select code from postrider.job_send_event((select job_id from postrider.job), "
                "'go')"),
        "done"
    );

    w.pass("2 hours");
    w.until("select finished_at is not null from postrider.job", "t");

    EXPECT_EQ(w.value("select state || coalesce(error, '') from postrider.job"), "completed");
    EXPECT_EQ(w.value("select run_no from postrider.job"), "2");
    EXPECT_THAT(book, IsEmpty());
    EXPECT_EQ(letter(), "failed");
}

// Where nobody looks at the branches any more, either.
// covers: S3.17
TEST_F(given_up, branches_are_closed_also_for_the_run_that_ends_the_job) {
    job.looks = false;
    run_to_the_night();

    w.pass("2 hours");
    w.until("select finished_at is not null from postrider.job", "t");

    EXPECT_EQ(w.value("select state || coalesce(error, '') from postrider.job"), "completed");
    EXPECT_EQ(letter(), "failed");
}

} // namespace

} // namespace postrider::tests::given_up_test
