#include "storage/database.hpp"
#include "storage/transact.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>

#include <atomic>

namespace postrider::storage::database_test {
namespace {

using base::errc;
using namespace std::chrono_literals;

constexpr statement add{
    "test.add", "insert into public.note (n, text) values ($1, $2) returning n, text"};
constexpr statement count{"test.count", "select count(*) from public.note"};
constexpr statement all{"test.all", "select * from public.note order by n"};
constexpr statement pause{"test.pause", "select pg_sleep($1::float8)"};

class database_test : public testing::Test {
protected:
    database_test() {
        where.execute(
            "create table public.note (n int primary key, text text check (text <> 'forbidden'))"
        );
    }

    database& db() {
        if (!db_) db_ = open_database(loop.executor(), options);
        return *db_;
    }

    base::result<rows> query(
        statement const& statement, std::vector<param> params = {}, base::duration limit = 5s
    ) {
        return loop.run(db().query(statement, std::move(params), limit));
    }

    base::result<void> run(std::function<void(transaction&)> work) {
        return loop.run(db().run("test", std::move(work), 5s));
    }

    tests::test_database where{tests::test_database::content::empty};
    tests::loop loop;
    database_options options = where.options();

private:
    std::unique_ptr<database> db_;
};

TEST_F(database_test, returns_rows_as_text_and_nulls) {
    auto const found = query(add, {7, std::nullopt});

    ASSERT_TRUE(found) << to_string(found.error());
    ASSERT_EQ(found->size(), 1u);
    EXPECT_EQ(found->front().int64(0), 7);
    EXPECT_TRUE(found->front().null(1));
}

TEST_F(database_test, commits_what_query_did) {
    ASSERT_TRUE(query(add, {1, "a"}));

    EXPECT_EQ(where.value("select text from public.note where n = 1"), "a");
}

TEST_F(database_test, runs_several_statements_in_one_transaction) {
    auto const done = run([](transaction& tx) {
        tx.query(add, {1, "a"});
        tx.query(add, {2, "b"});
    });

    ASSERT_TRUE(done);
    EXPECT_EQ(where.value("select count(distinct xmin::text) from public.note"), "1");
}

// Without a default, and not to be copied.
struct unfit_for_default {
    explicit unfit_for_default(std::int64_t n) : number(std::make_unique<std::int64_t>(n)) {}
    std::unique_ptr<std::int64_t> number;
};

TEST_F(database_test, gives_what_the_work_returned) {
    auto work = [](transaction& tx) {
        return unfit_for_default{tx.query(add, {7, "a"}).at(0).int64(0)};
    };

    auto const returned = loop.run(transact(db(), "test", work, 5s));

    ASSERT_TRUE(returned);
    EXPECT_EQ(*returned->number, 7);
    EXPECT_EQ(where.value("select text from public.note where n = 7"), "a");
}

TEST_F(database_test, gives_what_the_last_try_of_the_work_returned) {
    int tries = 0;
    auto work = [&tries](transaction& tx) {
        std::vector<int> seen{++tries};
        tx.query(add, {tries, "a"});
        if (tries == 1)
            tx.query({"test.conflict", "do $$ begin raise sqlstate '40001'; end $$"}, {});
        return seen;
    };

    auto const returned = loop.run(transact(db(), "test", work, 5s));

    ASSERT_TRUE(returned);
    EXPECT_THAT(*returned, testing::ElementsAre(2));
}

TEST_F(database_test, gives_the_failure_of_work_that_returns_a_value) {
    auto work = [](transaction& tx) { return tx.query(add, {1, "forbidden"}).size(); };

    EXPECT_EQ(loop.run(transact(db(), "test", work, 5s)).error(), errc::poison);
}

// The work goes on behind the wait, and writes to what is its own.
TEST_F(database_test, owns_the_value_of_work_that_outlives_its_wait) {
    auto const released = std::make_shared<std::atomic<bool>>(false);
    auto work = [released](transaction& tx) {
        std::shared_ptr<void> const at_end(nullptr, [released](void*) { *released = true; });
        return std::make_pair(at_end, tx.query(pause, {"0.1"}).size());
    };

    EXPECT_EQ(loop.run(transact(db(), "test", std::move(work), 20ms)).error(), errc::timeout);

    for (int looks = 0; looks < 100 && !*released; ++looks)
        ASSERT_TRUE(query(pause, {"0.05"})); // of the other connection
    EXPECT_TRUE(*released) << "nobody keeps it";
}

TEST_F(database_test, rolls_back_and_rethrows_what_the_work_throws) {
    auto failing = [](transaction& tx) {
        tx.query(add, {1, "a"});
        throw std::domain_error("no");
    };

    EXPECT_THROW((void)run(failing), std::domain_error);
    EXPECT_EQ(query(count)->front().int64(0), 0);
}

TEST_F(database_test, calls_refused_rows_poison) {
    ASSERT_TRUE(query(add, {1, "a"}));

    EXPECT_EQ(query(add, {1, "b"}).error(), errc::poison);         // unique
    EXPECT_EQ(query(add, {2, "forbidden"}).error(), errc::poison); // check
    EXPECT_EQ(query(add, {"x", "b"}).error(), errc::poison);       // not a number
}

TEST_F(database_test, never_cuts_a_text_at_a_nul_byte) {
    auto const refused = query(add, {1, std::string("before\0after", 12)});

    EXPECT_EQ(refused.error(), errc::poison);
    EXPECT_EQ(query(count)->front().int64(0), 0);
}

TEST_F(database_test, keeps_values_out_of_errors) {
    auto const refused = query(add, {"hunter2", "x"});

    EXPECT_EQ(refused.error().detail.find("hunter2"), std::string::npos);
    EXPECT_THAT(refused.error().detail, testing::HasSubstr("22P02 in test.add"));
}

TEST_F(database_test, throws_on_a_defect_of_ours) {
    try {
        (void)query({"test.broken", "select nothing from nowhere"});
        FAIL() << "was accepted";
    } catch (database_error const& e) {
        EXPECT_THAT(
            e.what(), testing::AllOf(testing::HasSubstr("42P01"), testing::HasSubstr("test.broken"))
        );
    }
    EXPECT_TRUE(query(count)) << "the connection is still of use";
}

TEST_F(database_test, throws_when_one_name_stands_for_two_statements) {
    options.connections = 1;
    ASSERT_TRUE(query({"test.twice", "select 1"}));

    EXPECT_THROW((void)query({"test.twice", "select 2"}), database_error);
}

TEST_F(database_test, refuses_to_commit_after_a_failed_statement) {
    auto careless = [](transaction& tx) {
        tx.query(add, {1, "a"});
        try {
            tx.query(add, {1, "again"});
        } catch (std::exception const&) {
        }
    };

    EXPECT_THROW((void)run(careless), database_error);
}

TEST_F(database_test, repeats_a_transaction_that_conflicts) {
    ASSERT_TRUE(query(add, {1, "a"}));
    int tries = 0;

    auto const done = run([&](transaction& tx) {
        tx.script("set transaction isolation level repeatable read");
        tx.query(count);
        if (++tries == 1) where.execute("update public.note set text = 'theirs'");
        tx.script("update public.note set text = text || ' and mine'");
    });

    ASSERT_TRUE(done) << to_string(done.error());
    EXPECT_EQ(tries, 2);
    EXPECT_EQ(where.value("select text from public.note"), "theirs and mine");
}

TEST_F(database_test, gives_up_after_three_conflicts) {
    ASSERT_TRUE(query(add, {1, "a"}));
    int tries = 0;

    auto const done = run([&](transaction& tx) {
        tx.script("set transaction isolation level repeatable read");
        tx.query(count);
        ++tries;
        where.execute("update public.note set text = text || '!'");
        tx.script("update public.note set text = 'mine'");
    });

    EXPECT_EQ(done.error(), errc::conflict);
    EXPECT_EQ(tries, 3);
}

TEST_F(database_test, prepares_again_when_a_table_has_changed) {
    options.connections = 1;
    ASSERT_TRUE(query(add, {1, "a"}));
    ASSERT_EQ(query(all)->front().size(), 2u);
    where.execute("alter table public.note add column extra int");

    auto const found = query(all);

    ASSERT_TRUE(found) << to_string(found.error());
    EXPECT_EQ(found->front().size(), 3u);
}

TEST_F(database_test, renews_its_plans_as_executions_mount) {
    options.connections = 1;
    constexpr statement newest{
        "test.plans", "select min(name), count(*) from pg_prepared_statements"};
    ASSERT_TRUE(query(count));
    ASSERT_EQ(query(newest)->front().text(0), "test.count/1");

    for (int i = 0; i < 110; ++i) ASSERT_TRUE(query(newest));

    EXPECT_EQ(query(newest)->front().text(0), "test.plans/2");
    EXPECT_EQ(query(newest)->front().int64(1), 1) << "plans of before are gone";
}

TEST_F(database_test, sets_up_its_session) {
    options.application = "postrider-test";
    constexpr statement settings{
        "test.settings",
        "select current_setting('search_path'), current_setting('timezone'), "
        "current_setting('statement_timeout'), current_setting('application_name'), "
        "current_setting('enable_seqscan'), current_setting('synchronous_commit')"};

    auto const found = query(settings);

    auto const& line = found->front();
    EXPECT_EQ(line.text(0), "postrider");
    EXPECT_EQ(line.text(1), "UTC");
    EXPECT_EQ(line.text(2), "30s");
    EXPECT_EQ(line.text(3), "postrider-test");
    EXPECT_EQ(line.text(4), "off");
    EXPECT_EQ(line.text(5), "on");
}

TEST_F(database_test, works_without_prepared_statements) {
    options.prepared = false;
    options.connections = 1;
    options.audit_key = base::secret(std::string(256, '3'));
    constexpr statement settings{
        "test.settings",
        "select current_setting('search_path'), (select count(*) from pg_prepared_statements), "
        "current_setting('postrider.audit_key', true)"};

    ASSERT_TRUE(query(add, {1, "a"}));
    auto const found = query(settings);

    EXPECT_EQ(found->front().text(0), "postrider");
    EXPECT_EQ(found->front().int64(1), 0);
    EXPECT_EQ(found->front().text(2), options.audit_key.reveal())
        << "the key holds in each transaction";
}

TEST_F(database_test, ends_a_statement_that_takes_too_long) {
    options.statement_timeout = 50ms;

    EXPECT_EQ(query(pause, {"30"}).error(), errc::timeout);
}

} // namespace
} // namespace postrider::storage::database_test
