// Jobs that are asked to end while they decide what to do, or while they do it, on a real Postgres.
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::late_cancel_test {

namespace {

using base::awaitable;
using queue::outcome;
using queue::workflow;
using testing::ElementsAre;

queue::commit_with intent(bool at_once) {
    queue::commit_with with;
    with.effects.push_back(
        {.key = "send", .kind = "test.send", .request = nullptr, .at_once = at_once}
    );
    return with;
}

// Asks for it itself, so that nothing depends on when its node hears of it.
struct asking {
    world w;
    diary book;
    tests::node* node = nullptr;

    awaitable<queue::step_value> ask(workflow& flow, std::string function, std::string step) {
        auto const job = base::to_string(flow.job().id);
        if (auto const at = function.find("JOB"); at != function.npos) function.replace(at, 3, job);
        w.execute("select postrider." + function);
        co_return co_await write_into(book, std::move(step));
    }
    void run(queue::job_function work, std::string until) {
        node = &w.start_node({{"job", std::move(work)}});
        w.enqueue(*node, w.make_lane("a"), "job");
        w.until("select state from postrider.job", std::move(until));
    }
    std::string effect() { return w.value("select state || ' ' || flagged from postrider.effect"); }
};

// covers: E.12 E.14
TEST(late_cancel, of_a_job_that_decides_plans_nothing_and_keeps_what_was_paid) {
    for (std::string const function : {"job_cancel(JOB)", "job_cancel(JOB, true)"}) {
        asking a;
        auto work = [&](workflow& flow) -> awaitable<outcome> {
            co_await flow.try_step("decide", {}, [&] {
                flow.spend("decide", {10, 20});
                return a.ask(flow, function, "decide");
            });
            (void)co_await flow.commit(intent(true));
            co_await flow.perform("send", {}, [&] { return write_into(a.book, "send"); });
            co_return outcome::completed();
        };
        a.run(work, "cancelled");

        EXPECT_THAT(a.book, ElementsAre("decide"));
        EXPECT_EQ(a.w.value("select count(*) from postrider.effect"), "0");
        EXPECT_EQ(a.w.value("select outcome from postrider.step"), "done");
        EXPECT_EQ(a.w.value("select tokens_in || '/' || tokens_out from postrider.job"), "10/20");
        EXPECT_EQ(a.w.value("select count(*) from postrider.busy_lane"), "0");
    }
}

// covers: E.12
TEST(late_cancel, of_a_job_in_its_last_step_leaves_it_without_an_end_of_its_own) {
    for (std::string const function : {"job_cancel(JOB)", "job_cancel(JOB, true)"}) {
        for (bool const fails : {false, true}) {
            asking a;
            auto work = [&](workflow& flow) -> awaitable<outcome> {
                co_await flow.try_step("last", {}, [&] { return a.ask(flow, function, "last"); });
                if (fails) co_return outcome::failed({base::errc::refused, "no"});
                co_return outcome::completed("said too late");
            };
            a.run(work, "cancelled");

            EXPECT_EQ(
                a.w.value("select coalesce(output #>> '{}', '') || coalesce(error, '') "
                          "from postrider.job"),
                ""
            );
            EXPECT_EQ(a.w.value("select outcome from postrider.step"), "done");
            EXPECT_EQ(a.w.value("select count(*) from postrider.busy_lane"), "0");
        }
    }
}

// The intent stands, and its beginning is a commit of its own.
// covers: E.12 E.14
TEST(late_cancel, keeps_a_planned_effect_from_being_begun) {
    asking a;
    auto work = [&](workflow& flow) -> awaitable<outcome> {
        (void)co_await flow.commit(intent(false));
        co_await a.ask(flow, "job_cancel(JOB)", "asked");
        co_await flow.perform("send", {}, [&] { return write_into(a.book, "send"); });
        co_return outcome::completed();
    };
    a.run(work, "cancelled");

    EXPECT_THAT(a.book, ElementsAre("asked"));
    EXPECT_EQ(a.effect(), "failed false") << "it did not happen";
}

// What is done is told as it is.
// covers: E.12 E.14
TEST(late_cancel, of_a_job_that_acts_takes_nothing_back) {
    asking a;
    auto work = [&](workflow& flow) -> awaitable<outcome> {
        (void)co_await flow.commit(intent(true));
        auto const sent = co_await flow.perform("send", {}, [&] {
            return a.ask(flow, "job_cancel(JOB)", "sent");
        });
        co_return outcome::completed(*sent);
    };
    a.run(work, "completed");

    EXPECT_EQ(a.w.value("select output #>> '{}' from postrider.job"), "sent");
    EXPECT_EQ(a.effect(), "done false");
}

// Nobody has begun it, so a later run does it without a doubt.
// covers: E.12 E.14
TEST(late_pause, comes_before_an_effect_whose_intent_alone_stands) {
    asking a;
    auto work = [&](workflow& flow) -> awaitable<outcome> {
        if (!flow.planned("send")) {
            co_await flow.try_step("decide", {}, [&] {
                return a.ask(flow, "job_pause(JOB)", "decide");
            });
            (void)co_await flow.commit(intent(true));
        } else {
            co_await flow.try_step("decide", {}, [&] { return write_into(a.book, "again"); });
        }
        co_await flow.perform("send", {}, [&] { return write_into(a.book, "send"); });
        co_return outcome::completed();
    };
    a.run(work, "paused");
    EXPECT_THAT(a.book, ElementsAre("decide"));
    EXPECT_EQ(a.effect(), "planned false");

    a.w.execute("select postrider.job_resume(job_id) from postrider.job");
    a.node->engine->wake();
    a.w.until("select state from postrider.job", "completed");
    EXPECT_THAT(a.book, ElementsAre("decide", "send"));
    EXPECT_EQ(a.effect(), "done false");
}

} // namespace

} // namespace postrider::tests::late_cancel_test
