// What a person does in psql and leaves open must not hold chats up for long: the documented
// functions bound their transaction.
#include "tests/integration/queue/operations_world.hpp"

#include <gmock/gmock.h>

#include <map>
#include <sstream>

namespace postrider::tests::bounds_test {

namespace {

// A call of each, by the function's name, in a world with one job that has failed.
std::map<std::string, std::string> const& calls() {
    static std::map<std::string, std::string> const all{
        {"apply_pauses", "apply_pauses()"},
        {"approval_decide", "approval_decide('asked', true)"},
        {"bot_pause", "bot_pause('main')"},
        {"bot_resume", "bot_resume('main')"},
        {"bucket_report", "bucket_report('bot:main', 'works')"},
        {"effect_settle", "effect_settle(JOB, 'reply', 'done')"},
        {"enqueue_later", "enqueue_later('1:5:0', 'work', '{}', delay => '10 min')"},
        {"forget_memory", "forget_memory(1)"},
        {"job_cancel", "job_cancel(JOB)"},
        {"job_fork", "job_fork(JOB)"},
        {"job_pause", "job_pause(JOB)"},
        {"job_restart", "job_restart(JOB)"},
        {"job_resume", "job_resume(JOB)"},
        {"job_retry", "job_retry(JOB)"},
        {"job_send_event", "job_send_event(JOB, 'go')"},
        {"lane_forget", "lane_forget('1:5:0')"},
        {"lane_pause", "lane_pause('1:5:0')"},
        {"lane_resume", "lane_resume('1:5:0')"},
        {"lane_send_event", "lane_send_event('1:5:0', 'go')"},
        {"pause_all", "pause_all()"},
        {"remove_collection", "remove_collection('plants')"},
        {"remove_document", "remove_document(1)"},
        {"resume_all", "resume_all()"},
    };
    return all;
}

class bounds : public testing::TestWithParam<std::pair<std::string const, std::string>> {};

// covers: E.21
TEST_P(bounds, are_set_for_the_transaction) {
    operations_world w;
    auto const job = base::to_string(w.job("failed"));
    auto call = GetParam().second;
    if (auto const at = call.find("JOB"); at != call.npos) call.replace(at, 3, job);
    w.execute(
        "insert into postrider.approval (approval_id, job_id, lane_id, requester, expires_at, "
        "question, call, tool, arguments, digest) select 'asked', job_id, lane_id, 1, "
        "postrider.now() + interval '1 h', 'q', 'c', 'ban', '{}', '' from postrider.job"
    );

    w.in_transaction([&](storage::transaction& tx) {
        tx.query(storage::statement{"call", "select postrider." + call});
        auto const settings = tx.query(
            {"settings",
             "select current_setting('lock_timeout'), "
             "current_setting('idle_in_transaction_session_timeout')"}
        );
        EXPECT_EQ(settings.at(0).text(0), "5s");
        EXPECT_EQ(settings.at(0).text(1), "10s");
    });
}

INSTANTIATE_TEST_SUITE_P(of, bounds, testing::ValuesIn(calls()), [](auto const& call) {
    return call.param.first;
});

// Whatever may write and is not marked as the program's own ("for …"). The two that give readers
// their rights touch no row that a chat needs, and the second belongs to the migration.
TEST(bounds_of, every_function_for_people_are_tested) {
    operations_world w;
    auto const functions =
        w.value("select string_agg(distinct proname, ' ' order by proname) from pg_proc "
                "where pronamespace = 'postrider'::regnamespace and provolatile = 'v' "
                "and prorettype <> 'trigger'::regtype "
                "and proname not in ('admit_reader', 'grant_reader') "
                "and obj_description(oid, 'pg_proc') not like 'for %'");

    std::istringstream names(functions);
    for (std::string name; names >> name;)
        EXPECT_TRUE(calls().contains(name)) << "no call of " << name;
}

} // namespace

} // namespace postrider::tests::bounds_test
