// Triggers of flows for a single time, on a real Postgres: the time has one execution, whatever becomes
// of the trigger meanwhile.
#include "agent/flow/catalog.hpp"
#include "agent/flow/library/lifecycle.hpp"
#include "tests/integration/queue/schedules_world.hpp"
#include "tests/support/flow_builder.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::flow::one_off_schedules_test {
namespace {

constexpr std::string_view past = "2020-01-01T09:00:00Z";

std::string launch(std::string_view at, bool disabled = false) {
    return tests::flow_builder("launch")
        .trigger("By hand", "manual")
        .trigger("At", "schedule", {{"at", at}})
        .with("disabled", disabled)
        .text();
}

class one_off_schedules : public testing::Test {
protected:
    void change(std::function<void(storage::transaction&)> work) {
        storage::run_blocking(w.database.options(), std::move(work)).value();
    }
    void publish(std::string const& document) {
        change([&](storage::transaction& tx) {
            auto const wanted = read_candidate(document, by).value();
            import(tx, wanted, {.publish = true}, {"test"}, by).value();
        });
    }
    void archive_flow() {
        change([](storage::transaction& tx) {
            archive(tx, storage::lock_flow(tx, "launch").value());
        });
    }
    void unarchive_flow() {
        change([&](storage::transaction& tx) {
            unarchive(tx, storage::lock_flow(tx, "launch").value(), types).value();
        });
    }
    // How many there are once the scheduler has looked.
    std::string executions() {
        w.pass();
        return w.value("select count(*) from postrider.job");
    }
    void forget_executions() {
        w.execute("delete from postrider.timer; delete from postrider.job");
    }
    std::string rows() { return w.value("select count(*) from postrider.schedule"); }

    tests::schedules_world w;
    catalog types = builtin_types();
    validator by{&types};
};

TEST_F(one_off_schedules, run_no_second_time_when_their_flow_is_brought_back) {
    publish(launch(past));
    ASSERT_EQ(executions(), "1");

    archive_flow();
    EXPECT_EQ(executions(), "1");
    EXPECT_EQ(
        w.value("select name || ' ' || next_at from postrider.schedule"), "flow:launch:at infinity"
    ) << "listed as ended";
    unarchive_flow();

    EXPECT_EQ(executions(), "1");
}

TEST_F(one_off_schedules, run_no_second_time_when_their_trigger_is_enabled_again) {
    publish(launch(past));
    ASSERT_EQ(executions(), "1");

    publish(launch(past, true));
    EXPECT_EQ(executions(), "1");
    publish(launch(past));

    EXPECT_EQ(executions(), "1");
}

TEST_F(one_off_schedules, run_no_second_time_when_nothing_is_kept_of_their_execution) {
    publish(launch(past));
    ASSERT_EQ(executions(), "1");
    forget_executions();

    archive_flow();
    unarchive_flow();

    EXPECT_EQ(executions(), "0");
}

TEST_F(one_off_schedules, run_at_another_time_that_a_later_version_has) {
    publish(launch(past));
    ASSERT_EQ(executions(), "1");

    archive_flow();
    unarchive_flow();
    publish(launch("2021-01-01T09:00:00Z"));

    EXPECT_EQ(executions(), "2");
}

TEST_F(one_off_schedules, of_a_time_to_come_go_with_their_trigger) {
    publish(launch("2999-01-01T09:00:00Z"));
    ASSERT_EQ(executions(), "0");

    archive_flow();
    EXPECT_EQ(rows(), "0");
    unarchive_flow();
    EXPECT_EQ(rows(), "1");
    publish(launch("2999-01-01T09:00:00Z", true));

    EXPECT_EQ(rows(), "0");
}

TEST_F(one_off_schedules, go_with_their_flow) {
    publish(launch(past));
    ASSERT_EQ(executions(), "1");
    forget_executions();
    archive_flow();
    ASSERT_EQ(rows(), "1");

    change([](storage::transaction& tx) {
        EXPECT_TRUE(remove(tx, storage::lock_flow(tx, "launch").value()));
    });

    EXPECT_EQ(rows(), "0");
}

} // namespace
} // namespace postrider::agent::flow::one_off_schedules_test
