// Presses of buttons and changes of members, from the update to the event of a job.
#include "agent/speech/question.hpp"
#include "storage/pg/connection.hpp"
#include "storage/stores/questions.hpp"
#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace postrider::telegram::presses_test {
namespace {

constexpr std::string_view question = "V1StGXR8_Z5jdHi6B-myT"; // a nanoid

// A message of Alex began a job, and that asks.
struct asking_world : intake_world {
    asking_world() { accept(body(1, alex, "ban Eve")).value(); }

    void open(std::string only = "null", std::string until = "now() + interval '10 min'") {
        value(
            "insert into postrider.question (question_id, job_id, place, user_id, until_at) select "
            "'" +
            std::string(question) + "', job_id, '1:10', " + only + ", " + until +
            " from postrider.job returning question_id"
        );
    }

    base::result<accepted> press(
        std::int64_t update, user_id from, std::string data, chat_id in = chat_id{10}
    ) {
        boost::json::object body{{"update_id", update}};
        body["callback_query"] = {
            {"id", "query " + std::to_string(update)},
            {"from", {{"id", base::raw(from)}, {"first_name", "Al"}}},
            {"message",
             {{"message_id", 7},
              {"date", 1},
              {"text", shown},
              {"chat", {{"id", base::raw(in)}, {"type", "private"}}}}},
            {"data", std::move(data)},
        };
        return accept(boost::json::serialize(body));
    }
    base::result<accepted> press_ban(std::int64_t update, user_id from = alex) {
        return press(update, from, std::string(question) + ":ban");
    }

    std::string events() {
        return value("select count(*) from postrider.event where type = 'press'");
    }
    std::string shown; // what the button stands below

    std::string questions() { return value("select count(*) from postrider.question"); }
};

using answered = std::vector<std::pair<std::string, std::string>>;
constexpr auto closed = "This is no longer open.";

TEST(telegram_presses, become_an_event_of_the_job_that_asked) {
    asking_world w;
    w.open();

    auto const stored = w.press_ban(2);

    ASSERT_TRUE(stored);
    EXPECT_TRUE(stored->is_new);
    EXPECT_EQ(stored->disposition, "event");
    EXPECT_EQ(
        w.value("select e.type || ' ' || e.match || ' ' || (e.job_id = j.job_id) || ' ' || "
                "(e.lane_id = j.lane_id) from postrider.event e, postrider.job j"),
        "press " + std::string(question) + " true true"
    );
    EXPECT_EQ(
        w.value("select (payload->>'bot') || ' ' || (payload->>'chat') || ' ' || "
                "(payload->>'message') || ' ' || (payload->>'user') || ' ' || "
                "(payload->>'name') || ' ' || (payload->>'choice') || ' ' || "
                "(payload->>'press') from postrider.event"),
        "1 10 7 10 Al ban query 2"
    );
    EXPECT_EQ(w.presses.all, (answered{{"query 2", ""}}));
}

TEST(telegram_presses, count_once) {
    asking_world w;
    w.open();
    ASSERT_TRUE(w.press_ban(2));

    auto const redelivered = w.press_ban(2);
    auto const repeated = w.press_ban(3);

    EXPECT_FALSE(redelivered->is_new);
    EXPECT_TRUE(repeated->is_new);
    EXPECT_EQ(w.events(), "1");
    EXPECT_EQ(w.presses.all, (answered{{"query 2", ""}, {"query 2", ""}, {"query 3", closed}}));
}

TEST(telegram_presses, that_nobody_waits_for_are_answered_and_change_nothing) {
    asking_world w;
    w.press(2, alex, "some other button");
    w.press(7, alex, std::string("a\0b", 3));
    w.press_ban(3);
    w.open("null", "now() - interval '1 s'");
    w.press_ban(4);
    w.value("update postrider.question set until_at = now() + interval '1 h' returning 1");
    w.press(5, alex, std::string(question) + ":ban", chat_id{11}); // forged in another chat
    EXPECT_EQ(w.questions(), "1");
    w.value("select (postrider.job_cancel(job_id)).code from postrider.job");
    w.press_ban(6);

    EXPECT_EQ(w.events(), "0");
    EXPECT_EQ(
        w.presses.all,
        (answered{
            {"query 2", closed},
            {"query 7", closed},
            {"query 3", closed},
            {"query 4", closed},
            {"query 5", closed},
            {"query 6", closed}})
    );
}

TEST(telegram_presses, are_answered_in_the_language_of_the_question) {
    asking_world w;
    w.shown = "Darf ich das tun?\n\nremove\n  path: \"a.txt\"";
    w.press_ban(2);
    w.open("11");
    w.press_ban(3);

    EXPECT_EQ(
        w.presses.all,
        (answered{
            {"query 2", "Das ist nicht mehr offen."},
            {"query 3", "Darauf soll jemand anderes antworten."}})
    );
}

TEST(telegram_presses, count_from_the_one_who_is_asked_and_from_owners) {
    asking_world w;
    user_id const eve{12};
    user_id const owner{13};
    w.fern.settings.allowlist.users.insert(eve);
    w.fern.settings.allowlist.owners.insert(owner);
    w.open("10");

    w.press_ban(2, eve);
    EXPECT_EQ(w.events(), "0");
    EXPECT_EQ(w.questions(), "1") << "it is open still";
    w.press_ban(3, stranger_id);
    w.press_ban(4, owner);

    EXPECT_EQ(w.value("select payload->>'user' from postrider.event"), "13");
    EXPECT_EQ(
        w.presses.all,
        (answered{{"query 2", "This is for somebody else to answer."}, {"query 4", ""}})
    ) << "a stranger is told nothing";
    EXPECT_EQ(w.value("select refused from postrider.stranger"), "1");
}

// Not from who began it, nor from owners.
TEST(telegram_presses, count_from_approvers_alone_where_there_are_some) {
    asking_world w;
    user_id const approver{12};
    user_id const owner{13};
    w.fern.settings.allowlist.users.insert(approver);
    w.fern.settings.allowlist.owners.insert(owner);
    w.open("10");
    w.value("update postrider.question set people = '{12}' returning 1");

    w.press_ban(2);
    w.press_ban(3, owner);
    EXPECT_EQ(w.events(), "0");
    w.press_ban(4, approver);

    EXPECT_EQ(w.value("select payload->>'user' from postrider.event"), "12");
    constexpr auto refused = "This is for somebody else to answer.";
    EXPECT_EQ(
        w.presses.all, (answered{{"query 2", refused}, {"query 3", refused}, {"query 4", ""}})
    );
}

TEST(telegram_presses, of_a_button_that_keeps_the_question_open) {
    asking_world w;
    w.open();
    auto const more = agent::data_of(question, {"More", "more", false});

    w.press(2, alex, more);
    w.press(3, alex, more);
    w.press_ban(4);
    w.press(5, alex, more);

    EXPECT_EQ(w.events(), "3");
    EXPECT_EQ(w.presses.all.back().second, closed);
}

TEST(telegram_presses, wake_the_job_that_waits) {
    asking_world w;
    w.open();
    w.value(
        "update postrider.job set state = 'waiting', due_at = now() + interval '1 h', run_no = 1, "
        "started_at = postrider.now() returning 1"
    );
    w.value(
        "insert into postrider.wait (job_id, lane_id, until_at, key, type, match) "
        "select job_id, lane_id, now() + interval '1 h', 'ask-press', 'press', '" +
        std::string(question) + "' from postrider.job returning 1"
    );

    w.press_ban(2);

    EXPECT_EQ(w.value("select due_at <= postrider.now() from postrider.job"), "t");
}

TEST(questions, that_are_over_for_long_go_when_others_are_asked) {
    asking_world w;
    w.open("null", "now() - interval '2 days'");
    storage::question_row row;
    row.id = "another";
    row.job = job_id{1};
    row.place = "1:10";
    row.open_for = std::chrono::minutes{10};
    struct opening final : storage::unit {
        storage::question_row row;
        std::vector<storage::write> stage(int number, std::vector<storage::rows> const&) override {
            return number == 0 ? std::vector{storage::open_question(row)}
                               : std::vector<storage::write>{};
        }
    };
    auto unit = std::make_shared<opening>();
    unit->row = row;

    ASSERT_TRUE(w.loop.run(w.writes->commit(unit, 5s)));

    EXPECT_EQ(w.value("select string_agg(question_id, ',') from postrider.question"), "another");
}

// For whoever waits in that chat.
void add_waiting_jobs(intake_world& w) {
    w.database.execute("insert into postrider.job (job_id, lane_id, conversation_id, arrival, "
                       "kind, state, run_no, "
                       "started_at, due_at, wait_reason) select job_id, lane_id, 1, 1, 'flow', "
                       "'waiting', 1, now(), "
                       "until_at, 'event member' from postrider.wait");
}

std::string change_of_eve(
    std::int64_t update,
    std::int64_t chat,
    std::string_view before = "left",
    std::string_view now = "member"
) {
    boost::json::object eve{{"id", 12}, {"first_name", "Eve"}};
    boost::json::object body{{"update_id", update}};
    body["chat_member"] = {
        {"chat", {{"id", chat}, {"type", "supergroup"}}},
        {"from", {{"id", 10}, {"first_name", "Al"}}},
        {"date", 1},
        {"old_chat_member", {{"user", eve}, {"status", before}}},
        {"new_chat_member", {{"user", eve}, {"status", now}}},
    };
    return boost::json::serialize(body);
}

TEST(member_changes, are_events_where_a_job_waits_for_them) {
    intake_world w;
    w.value("insert into postrider.lane (lane_key, bot_id, chat_id) values ('1:-100:0', 1, -100) "
            "returning 1");
    ASSERT_TRUE(w.accept(change_of_eve(1, -100)));
    EXPECT_EQ(w.value("select count(*) from postrider.event"), "0") << "nobody waits";
    w.value("insert into postrider.wait (job_id, lane_id, until_at, key, type) "
            "select 1, lane_id, now() + interval '1 h', 'event', 'member' from postrider.lane "
            "returning 1");
    add_waiting_jobs(w);

    auto const stored = w.accept(change_of_eve(2, -100));
    auto const again = w.accept(change_of_eve(2, -100));
    auto const elsewhere = w.accept(change_of_eve(3, -200));

    EXPECT_EQ(stored->disposition, "event");
    EXPECT_FALSE(again->is_new);
    EXPECT_EQ(elsewhere->disposition, "ignored");
    EXPECT_EQ(
        w.value("select count(*) || ' ' || min(payload->>'name') || ' ' || "
                "min(payload->>'standing') || ' ' || min(payload->>'before') || ' ' || "
                "min(payload->>'by') from postrider.event"),
        "1 Eve member left 10"
    );
}

TEST(member_changes, of_those_who_run_the_group_are_noticed_at_once) {
    intake_world w;
    ASSERT_TRUE(w.accept(change_of_eve(1, -100, "left", "member")));
    EXPECT_TRUE(w.presses.changed.empty()) << "she runs nothing";

    ASSERT_TRUE(w.accept(change_of_eve(2, -100, "member", "administrator")));
    ASSERT_TRUE(w.accept(change_of_eve(3, -100, "administrator", "member")));

    EXPECT_EQ(w.presses.changed, (std::vector<chat_id>{chat_id{-100}, chat_id{-100}}));
}

TEST(member_changes, are_events_in_each_topic_where_a_job_waits) {
    intake_world w;
    w.value("with l as (insert into postrider.lane (lane_key, bot_id, chat_id) values "
            "('1:-100:0', 1, -100), ('1:-100:7', 1, -100), ('1:-100:8', 1, -100), "
            "('1:-300:7', 1, -300), ('2:-100:7', 2, -100) returning lane_id, lane_key) "
            "insert into postrider.wait (job_id, lane_id, until_at, key, type, match) "
            "select lane_id, lane_id, now() + interval '1 h', 'event', 'member', "
            "case lane_key when '1:-100:0' then 'x' end from l returning 1");
    add_waiting_jobs(w);

    ASSERT_TRUE(w.accept(change_of_eve(1, -100)));

    EXPECT_EQ(
        w.value("select string_agg(l.lane_key, ' ' order by l.lane_key) from postrider.event e "
                "join postrider.lane l using (lane_id) where e.type = 'member'"),
        "1:-100:7 1:-100:8"
    );
}

TEST(member_changes, are_kept_for_no_later_wait_where_the_wait_ends_meanwhile) {
    intake_world w;
    w.value("with l as (insert into postrider.lane (lane_key, bot_id, chat_id) values "
            "('1:-100:0', 1, -100) returning lane_id) "
            "insert into postrider.wait (job_id, lane_id, until_at, key, type) "
            "select 1, lane_id, now() + interval '1 h', 'event', 'member' from l returning 1");
    add_waiting_jobs(w);
    auto const job = storage::pg::connect(w.database.options(), storage::pg::purpose::general);
    job->begin();
    job->script("select from postrider.lane_run for update; delete from postrider.wait");

    auto told = std::async(std::launch::async, [&] {
        return w.value("select postrider.tell_chat(1, -100, 'member', '{}')");
    });
    while (w.value("select count(*) > 0 from pg_stat_activity where wait_event_type = 'Lock' and "
                   "datname = current_database()") != "t")
        std::this_thread::yield();
    job->commit();

    EXPECT_EQ(told.get(), "0");
    EXPECT_EQ(w.value("select count(*) from postrider.event"), "0");
}

} // namespace
} // namespace postrider::telegram::presses_test
