// The lane of a conversation that is deleted while something for it arrives.
#include "queue/store/enqueue_turn.hpp"
#include "storage/pg/failure.hpp"
#include "tests/integration/queue/two_sessions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::closed_lane_test {
namespace {

constexpr auto conversation = "00000000-0000-4000-8000-000000000001";

class lane_that_closes : public two_sessions {
protected:
    lane_that_closes() {
        database.execute(
            "insert into postrider.lane (lane_key) values ('chat:" + std::string(conversation) +
            "');"
            "insert into postrider.api_conversation (id, lane_id, user_id, agent) "
            "select '" +
            std::string(conversation) + "', lane_id, 7, '' from postrider.lane"
        );
        lane = lane_id{std::stoll(database.value("select max(lane_id) from postrider.lane"))};
    }

    std::string remove() {
        return first
            ->query(
                {"delete", "select postrider.conversation_delete($1::uuid, 7)"},
                {std::string(conversation)}
            )
            .front()
            .text(0);
    }

    void arrive() {
        storage::message_row message;
        message.role = "user";
        message.content = "hi";
        auto const turn = queue::enqueue_turn({lane, "turn", {}, {}}, lane, {nullptr, &message});
        auto const rows = "[" + std::string(turn.row).insert(1, "\"i\":0,") + "]";
        second->query(*turn.statement, {rows});
    }

    lane_id lane{};
};

TEST_F(lane_that_closes, refuses_an_arrival_that_has_seen_it_open) {
    first->begin();
    EXPECT_EQ(remove(), "deleted");
    second->begin();
    auto arrival = std::async(std::launch::async, [&] { arrive(); });
    wait_until_somebody_waits();
    first->commit();

    EXPECT_EQ(failure_of(arrival), base::errc::not_found);
    second->rollback();
    EXPECT_EQ(database.value("select count(*) from postrider.job"), "0");
}

TEST_F(lane_that_closes, begins_nothing_any_more) {
    auto const key = "chat:" + std::string(conversation);
    database.execute(
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, state, "
        "run_no, "
        "started_at, finished_at, error_class) select 1, lane_id, 1, 1, 'turn', 'failed', 1, "
        "postrider.now(), postrider.now(), 'invalid' from postrider.lane"
    );
    EXPECT_EQ(remove(), "deleted");

    for (auto const* work : {"job_retry(1)", "job_restart(1)", "job_fork(1, answer => true)"})
        EXPECT_EQ(database.value("select (postrider." + std::string(work) + ").code"), "over")
            << work;
    for (auto const& work : {"lane_send_event('" + key + "', 'x')", "lane_pause('" + key + "')"})
        EXPECT_EQ(database.value("select (postrider." + work + ").code"), "not_found") << work;
    EXPECT_EQ(database.value("select postrider.enqueue_later('" + key + "', 'turn') is null"), "t");
    EXPECT_EQ(database.value("select count(*) from postrider.job"), "1");
}

TEST_F(lane_that_closes, stops_its_schedules_and_says_why) {
    auto const key = "chat:" + std::string(conversation);
    database.execute(
        "insert into postrider.schedule (name, kind, cron, lane_key, next_at) "
        "values ('report', 'turn', '0 0 1 1 *', '" +
        key + "', postrider.now())"
    );
    EXPECT_EQ(remove(), "deleted");

    database.execute("select postrider.schedule_run('report', array[postrider.now()], null)");

    EXPECT_EQ(database.value("select runs from postrider.schedule"), "0");
    EXPECT_EQ(database.value("select count(*) from postrider.job"), "0");
    EXPECT_THAT(
        database.value("select error from postrider.schedule"), testing::HasSubstr("was deleted")
    );
}

TEST_F(lane_that_closes, leaves_no_doubt_about_what_was_sent_there) {
    database.execute(
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, state, "
        "run_no, "
        "started_at) select 1, lane_id, 1, 1, 'turn', 'running', 1, postrider.now() "
        "from postrider.lane;"
        "insert into postrider.effect (job_id, key, kind, class, state) values "
        "(1, 'reply', 'chat.send', 'keyed', 'started'), (1, 'pay', 'http', 'keyed', 'started')"
    );
    EXPECT_EQ(remove(), "deleted");

    EXPECT_EQ(
        database.value("select string_agg(kind || ' ' || state, ',' order by kind) "
                       "from postrider.effect"),
        "chat.send failed,http unknown"
    );
}

TEST_F(lane_that_closes, takes_an_arrival_that_was_first_along) {
    second->begin();
    arrive();
    first->begin();
    auto deletion = std::async(std::launch::async, [&] { EXPECT_EQ(remove(), "deleted"); });
    wait_until_somebody_waits();
    second->commit();
    deletion.get();
    first->commit();

    EXPECT_EQ(database.value("select count(*) from postrider.message"), "0");
    EXPECT_EQ(database.value("select state from postrider.job"), "cancelled");
}

} // namespace
} // namespace postrider::tests::closed_lane_test
