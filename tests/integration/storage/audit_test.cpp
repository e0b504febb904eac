// The audit's chains: how they grow, and what is found when somebody has changed them.
#include "storage/query.hpp"
#include "storage/stores/audit.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::storage::audit_test {
namespace {

using namespace std::chrono_literals;

class audit_store : public testing::Test {
protected:
    audit_store() {
        database_.execute("insert into postrider.lane (lane_key) values ('a'), ('b')");
        batcher_options options;
        options.name = "writes";
        batches_ = make_batcher(io_.executor(), database_.options(), options);
    }
    ~audit_store() override { batches_->close(); }

    static new_audit_entry entry(std::int64_t lane, std::int64_t nonce) {
        new_audit_entry record;
        record.lane = lane_id{lane};
        record.job = job_id{7};
        record.nonce = nonce;
        record.kind = "model_call";
        record.actor = "user:1";
        record.subject = "assistant/model";
        record.detail = boost::json::object{{"model", "rules"}};
        return record;
    }
    void commit(std::vector<write> rows) {
        chain_together(rows);
        auto const done = io_.run(query(*batches_, std::move(rows), 5s));
        ASSERT_TRUE(done) << to_string(done.error());
    }
    void commit(std::int64_t lane, std::int64_t nonce) {
        commit({record_audit(entry(lane, nonce))});
    }
    audit_check check(int at_a_time = 1000) const {
        audit_check all;
        auto const look = [&](transaction& tx) {
            for (;;) {
                auto const next = verify_audit(tx, all.last, at_a_time);
                all.links += next.links;
                all.chains += next.chains;
                all.last = next.last;
                all.broken = next.broken;
                all.problem = next.problem;
                if (next.broken || next.links < at_a_time) return;
            }
        };
        auto const done = run_blocking(database_.options(), look);
        EXPECT_TRUE(done) << to_string(done.error());
        return all;
    }
    std::string numbers() const {
        return database_.value("select string_agg(lane_id || '/' || number || '/' || nonce, ' ' "
                               "order by lane_id, number) from postrider.audit");
    }
    // Where the chain breaks after somebody did this.
    std::string broken_by(std::string const& sql) {
        for (int nonce = 1; nonce <= 3; ++nonce) commit(1, nonce);
        commit(2, 4);
        EXPECT_FALSE(check().broken);
        database_.execute(sql);
        auto const found = check();
        if (!found.broken) return "";
        return base::to_string(found.broken->lane) + "/" + std::to_string(found.broken->number);
    }

    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<batcher> batches_;
};

// covers: X.15
TEST_F(audit_store, links_rows_of_a_lane_in_the_order_in_which_they_were_written) {
    commit(1, 11);
    commit({record_audit(entry(1, 14)), record_audit(entry(2, 15)), record_audit(entry(1, 13))});
    database_.execute("select postrider.audit_append(1, 'lane_pause', null, 'lane:a', '{}')");
    commit(1, 16);

    auto const found = check(2);

    EXPECT_EQ(numbers(), "1/1/11 1/2/13 1/3/14 1/4/0 1/5/16 2/1/15");
    EXPECT_FALSE(found.broken) << found.problem;
    EXPECT_EQ(found.links, 6);
    EXPECT_EQ(found.chains, 2);
}

TEST_F(audit_store, links_rows_of_several_lanes_that_share_a_batch) {
    commit(1, 11);
    std::vector<write> rows{record_audit(entry(1, 12)), record_audit(entry(2, 13))};

    auto const done = io_.run(query(*batches_, std::move(rows), 5s));

    ASSERT_TRUE(done) << to_string(done.error());
    EXPECT_EQ(numbers(), "1/1/11 1/2/12 2/1/13");
    EXPECT_FALSE(check().broken);
}

// As by a connection whose server reads what was sent after the commit in its place has come.
TEST_F(audit_store, a_commit_that_comes_behind_its_own_resend_adds_nothing) {
    std::vector<write> const rows{record_audit(entry(1, 12)), record_audit(entry(1, 11))};
    commit(1, 5);
    commit(rows);
    commit({record_audit(entry(2, 7)), rows[0], rows[1]});
    commit(1, 13);

    EXPECT_EQ(numbers(), "1/1/5 1/2/11 1/3/12 1/4/13 2/1/7");
    EXPECT_FALSE(check().broken);
}

TEST_F(audit_store, finds_a_row_that_was_changed) {
    EXPECT_EQ(
        broken_by("update postrider.audit set actor = 'user:2' where lane_id = 1 and number = 2"),
        "1/2"
    );
}

TEST_F(audit_store, finds_that_a_row_was_taken_out) {
    EXPECT_EQ(broken_by("delete from postrider.audit where lane_id = 1 and number = 2"), "1/3");
}

TEST_F(audit_store, finds_that_the_beginning_was_taken_away) {
    EXPECT_EQ(broken_by("delete from postrider.audit where lane_id = 1 and number = 1"), "1/2");
}

TEST_F(audit_store, finds_a_row_that_was_moved_to_another_chain) {
    EXPECT_EQ(
        broken_by("update postrider.audit set lane_id = 2, number = 2 where lane_id = 1 and number "
                  "= 3"),
        "2/2"
    );
}

TEST_F(audit_store, adds_nothing_twice_when_a_commit_is_sent_again) {
    auto const first = record_audit(entry(1, 11));
    commit({first});

    commit({once_only(first), once_only(record_audit(entry(1, 12)))});
    commit({once_only(record_audit(entry(2, 11)))});

    EXPECT_EQ(numbers(), "1/1/11 1/2/12 2/1/11");
    EXPECT_FALSE(check().broken);
}

// covers: X.19
TEST_F(audit_store, stays_valid_without_the_texts_beside_it_and_tells_of_changed_ones) {
    auto asked = entry(1, 1);
    asked.content = "what is asked";
    asked.content_hash = database_.value("select encode(sha256('what is asked'), 'hex')");
    commit({record_audit(asked)});
    auto const whole = check();

    database_.execute("update postrider.audit_content set content = 'something else'");
    auto const changed = check();
    database_.execute("delete from postrider.audit_content");
    auto const erased = check();

    EXPECT_FALSE(whole.broken) << whole.problem;
    EXPECT_TRUE(changed.broken);
    EXPECT_FALSE(erased.broken) << erased.problem;
}

TEST_F(audit_store, lists_the_newest_first_page_by_page) {
    for (int nonce = 1; nonce <= 3; ++nonce) commit(1, nonce);
    std::vector<audit_entry> first;
    std::vector<audit_entry> second;
    auto const look = [&](transaction& tx) {
        audit_filter filter{.kind = "model_call", .limit = 2};
        first = list_audit(tx, filter);
        filter.before = audit_place{first.back().lane, first.back().number};
        second = list_audit(tx, filter);
    };

    auto const done = run_blocking(database_.options(), look);

    ASSERT_TRUE(done) << to_string(done.error());
    ASSERT_EQ(first.size(), 2u);
    EXPECT_EQ(first.front().number, 3);
    EXPECT_EQ(first.front().lane_key, "a");
    ASSERT_EQ(second.size(), 1u);
    EXPECT_EQ(second.front().number, 1);
}

// covers: X.20
TEST_F(audit_store, says_who_paused_and_what_it_was_before) {
    auto const pause = [](transaction& tx) {
        act_as(tx, "token:7");
        tx.script("select postrider.lane_pause('a')");
        tx.script("select postrider.lane_pause('a')");
    };
    auto const done = run_blocking(database_.options(), pause);
    database_.execute("select postrider.pause_all()");

    ASSERT_TRUE(done) << to_string(done.error());
    EXPECT_EQ(
        database_.value(
            "select string_agg(concat_ws(' ', lane_id, kind, actor, subject, detail #>> "
            "'{before,paused}', detail #>> '{after,paused}'), '; ') "
            "from postrider.audit where lane_id = 1"
        ),
        "1 lane_pause token:7 lane:a false true"
    );
    EXPECT_EQ(
        database_.value("select count(*) from postrider.audit where lane_id = 0 and kind = 'pause' "
                        "and actor like 'sql:%'"),
        "1"
    );
    EXPECT_FALSE(check().broken);
}

// covers: X.20
TEST_F(audit_store, takes_nobody_at_a_client_of_postgres_for_the_server) {
    auto const by = [this](std::string application) {
        database_.execute(
            "set application_name = '" + application +
            "'; set postrider.actor = 'token:7'; select postrider.lane_pause('a');"
            "update postrider.token set revoked_at = postrider.now();"
            "select postrider.lane_resume('a')"
        );
        return database_.value("select actor from postrider.audit order by number desc limit 1");
    };

    EXPECT_EQ(by("postrider jobs"), "token:7");
    EXPECT_THAT(by("psql"), testing::StartsWith("sql:"));
    EXPECT_THAT(by(""), testing::StartsWith("sql:"));
}

// covers: X.20
TEST_F(audit_store, has_what_a_person_reports_of_a_bucket_and_not_what_a_node_does) {
    database_.execute("select postrider.bucket_report('bot:main', 'stopped')");
    EXPECT_EQ(database_.value("select count(*) from postrider.audit"), "0");

    database_.execute("set application_name = 'psql'; "
                      "select postrider.bucket_report('bot:main', 'works')");

    EXPECT_EQ(
        database_.value(
            "select concat_ws(' ', kind, subject, detail->>'outcome', detail->>'before', "
            "detail->>'after') from postrider.audit"
        ),
        "bucket_report bucket:bot:main works open closed"
    );
}

// covers: X.20
TEST_F(audit_store, has_a_schedules_input_as_a_digest) {
    database_.execute("insert into postrider.schedule (name, kind, cron, input) "
                      "values ('n', 'turn', '@daily', '{\"secret\": 1}')");
    database_.execute("update postrider.schedule set input = '{\"secret\": 2}'");

    EXPECT_EQ(
        database_.value("select (detail #>> '{before,input}') <> (detail #>> '{after,input}') "
                        "from postrider.audit where kind = 'schedule_change'"),
        "t"
    );
    EXPECT_EQ(
        database_.value("select count(*) from postrider.audit where detail::text ~ 'secret'"), "0"
    );
}

// covers: X.20
TEST_F(audit_store, has_what_operators_do_to_reminders_and_not_what_turns_do) {
    auto const add = "insert into postrider.schedule (name, kind, cron, input) "
                     "values ('reminder:a', 'reminder', '@daily', '{\"text\": \"a secret\"}')";
    database_.execute("set application_name = 'postrider'; " + std::string(add));
    database_.execute("set application_name = 'postrider'; "
                      "update postrider.schedule set input = '{\"text\": \"more\"}'");
    EXPECT_EQ(database_.value("select count(*) from postrider.audit"), "0");

    auto const done = run_blocking(database_.options(), [](transaction& tx) {
        act_as(tx, "token:7");
        tx.script("update postrider.schedule set input = '{\"text\": \"a secret\"}';"
                  "update postrider.schedule set paused_at = postrider.now();"
                  "delete from postrider.schedule");
    });
    database_.execute("set application_name = 'psql'; " + std::string(add));

    ASSERT_TRUE(done) << to_string(done.error());
    EXPECT_EQ(
        database_.value("select string_agg(concat_ws(' ', kind, split_part(actor, ':', 1), "
                        "detail ->> 'input_changed', detail #>> '{after,paused}'), ', ' order by "
                        "number) from postrider.audit where subject = 'schedule:reminder:a'"),
        "schedule_change token true false, schedule_change token true, schedule_remove token, "
        "schedule_set sql false"
    );
    EXPECT_EQ(
        database_.value("select count(*) from postrider.audit where detail::text ~ 'secret'"), "0"
    );
}

// covers: E.21
TEST_F(audit_store, what_somebody_leaves_open_keeps_nobody_from_the_chain_of_no_lane) {
    auto const leave_open = [this](transaction& tx) {
        tx.script("select postrider.pause_all();"
                  "insert into postrider.schedule (name, kind, cron) values ('n', 'x', '@daily')");
        database_.execute("insert into postrider.token (user_id, role, sha256) "
                          "values (5, 'user', sha256('x'))");
    };

    auto const done = run_blocking(database_.options(), leave_open);

    ASSERT_TRUE(done) << to_string(done.error());
    EXPECT_EQ(
        database_.value("select string_agg(kind, ', ' order by number) from postrider.audit "
                        "where lane_id = 0"),
        "token_create, pause, schedule_set"
    );
    EXPECT_FALSE(check().broken);
}

// covers: X.20
TEST_F(audit_store, has_what_is_done_to_tables_by_hand) {
    database_.execute("insert into postrider.token (user_id, role, sha256) "
                      "values (5, 'user', sha256('x'))");
    database_.execute("update postrider.token set last_used_at = postrider.now()");
    database_.execute("update postrider.token set revoked_at = postrider.now()");
    database_.execute("insert into postrider.schedule (name, kind, cron) values ('n', 'turn', "
                      "'@daily')");
    database_.execute("update postrider.schedule set next_at = postrider.now()");
    database_.execute("update postrider.schedule set cron = '@hourly'");
    database_.execute("delete from postrider.schedule");

    EXPECT_EQ(
        database_.value("select string_agg(kind || ' ' || subject, ', ' order by number) "
                        "from postrider.audit where lane_id = 0"),
        "token_create token:1, token_revoke token:1, schedule_set schedule:n, schedule_change "
        "schedule:n, schedule_remove schedule:n"
    );
    EXPECT_FALSE(check().broken);
}

// A page may end with a client's row, which has no key and says nothing of what comes behind it.
TEST_F(audit_store, finds_a_row_without_the_key_behind_a_clients_one_that_ends_a_page) {
    auto options = database_.options();
    options.audit_key = base::secret(std::string(256, '3'));
    auto const append = [](database_options const& by, std::string const& actor) {
        auto const done = run_blocking(by, [&](transaction& tx) {
            tx.script(
                "select postrider.audit_append(1, 'x', null, 'lane:a', '{}', '" + actor + "')"
            );
        });
        ASSERT_TRUE(done) << to_string(done.error());
    };
    append(options, "user:1");
    append(database_.options(), "sql:somebody (psql)");
    append(database_.options(), "user:1");
    std::vector<audit_check> pages;

    auto const done = run_blocking(options, [&](transaction& tx) {
        pages.push_back(verify_audit(tx, before_all_audit, 2));
        pages.push_back(verify_audit(tx, pages.front().last, 2));
    });

    ASSERT_TRUE(done) << to_string(done.error());
    EXPECT_FALSE(pages.at(0).broken) << pages.at(0).problem;
    EXPECT_EQ(pages.at(0).keyed, 1);
    ASSERT_TRUE(pages.at(1).broken);
    EXPECT_EQ(pages.at(1).broken->number, 3);
    EXPECT_EQ(pages.at(1).problem, "it was written without the key");
}

} // namespace
} // namespace postrider::storage::audit_test
