// What is reserved of a budget, and what is spent of it.
#include "storage/query.hpp"
#include "storage/stores/budgets.hpp"
#include "storage/stores/usage.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <thread>

namespace postrider::storage::budgets_test {
namespace {

using namespace std::chrono_literals;

class budget_store : public testing::Test {
protected:
    budget_store() {
        batcher_options options;
        options.name = "writes";
        batches_ = make_batcher(io_.executor(), database_.options(), options);
    }
    ~budget_store() override { batches_->close(); }

    static std::vector<budget> of_user(spending most) { return {{"user", "7", most}}; }

    std::optional<empty_budget> ask(
        reservation_key const& key,
        std::vector<budget> const& budgets,
        spending const& estimate = {1, 100, 0}
    ) {
        std::optional<empty_budget> found;
        auto work = [&](transaction& tx) { found = reserve(tx, key, budgets, estimate, 60s); };
        auto const done = run_blocking(database_.options(), work);
        EXPECT_TRUE(done) << to_string(done.error());
        return found;
    }
    void pay(std::vector<reservation_key> const& keys, spending const& paid) {
        std::vector<write> rows;
        for (auto const& key : keys) rows.push_back(settle(key, paid));
        auto const done = io_.run(query(*batches_, std::move(rows), 5s));
        ASSERT_TRUE(done) << to_string(done.error());
    }
    std::string today() const {
        return database_.value(
            "select string_agg(concat_ws('/', scope, calls, tokens, cost, calls_reserved, "
            "tokens_reserved), ' ' order by scope) from postrider.budgets_today"
        );
    }

    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<batcher> batches_;
};

// covers: X.04
TEST_F(budget_store, what_is_reserved_counts_until_what_was_paid_takes_its_place) {
    std::vector<budget> const budgets{{"total", "", {0, 1000, 0}}, {"user", "7", {5, 0, 0}}};

    EXPECT_FALSE(ask({job_id{1}, "a", 1}, budgets));
    auto const before = today();
    pay({{job_id{1}, "a", 1}}, {1, 30, 2500});

    EXPECT_EQ(before, "total/0/0/0.000000/1/100 user/0/0/0.000000/1/100");
    EXPECT_EQ(today(), "total/1/30/0.002500/0/0 user/1/30/0.002500/0/0");
}

TEST_F(budget_store, nothing_is_settled_twice) {
    EXPECT_FALSE(ask({job_id{1}, "a", 1}, of_user({5, 0, 0})));
    reservation_key const key{job_id{1}, "a", 1};

    pay({key}, {1, 30, 0});
    pay({key}, {1, 30, 0});

    EXPECT_EQ(today(), "user/1/30/0.000000/0/0");
}

TEST_F(budget_store, calls_of_one_commit_are_settled_together) {
    EXPECT_FALSE(ask({job_id{1}, "a", 1}, of_user({5, 0, 0})));
    EXPECT_FALSE(ask({job_id{2}, "b", 1}, of_user({5, 0, 0})));

    pay({{job_id{1}, "a", 1}, {job_id{2}, "b", 1}, {job_id{3}, "c", 1}}, {1, 30, 0});

    EXPECT_EQ(today(), "user/2/60/0.000000/0/0");
}

// covers: E.21
TEST_F(budget_store, an_absurd_report_does_not_keep_others_from_settling) {
    std::vector<budget> const all{{"total", "", {0, 10, 0}}};
    auto const most = std::numeric_limits<std::int64_t>::max();
    EXPECT_FALSE(ask({job_id{1}, "a", 1}, all));
    pay({{job_id{1}, "a", 1}}, {1, most, most});
    database_.execute("insert into postrider.budget_hold select 2, postrider.now() + interval '1 "
                      "h', 1, 100, 0, day, 1, 'b', 'total', '' from postrider.budget_day");
    pay({{job_id{2}, "b", 1}}, {1, 30, 1});

    EXPECT_EQ(
        database_.value("select concat_ws('/', calls, tokens, cost_micro) from postrider.budget_day"
        ),
        "2/9223372036854775807/9223372036854775807"
    );
}

TEST_F(budget_store, an_empty_one_says_which_it_is_and_when_it_opens) {
    database_.execute("update postrider.calendar set timezone = 'Pacific/Kiritimati'");
    EXPECT_FALSE(ask({job_id{1}, "a", 1}, of_user({0, 30, 0})));
    auto const held = ask({job_id{2}, "b", 1}, of_user({0, 30, 0}));
    pay({{job_id{1}, "a", 1}}, {1, 30, 0});
    auto const spent = ask({job_id{2}, "b", 1}, of_user({0, 30, 0}));

    ASSERT_TRUE(held);
    EXPECT_FALSE(held->spent) << "the call in flight may give some of it back";
    ASSERT_TRUE(spent);
    EXPECT_TRUE(spent->spent);
    EXPECT_EQ(spent->scope + spent->subject + spent->kind, "user7tokens");
    EXPECT_EQ(spent->most, 30);
    EXPECT_EQ(
        spent->opens,
        database_.value("select to_char((postrider.now() at time zone 'Pacific/Kiritimati')::date "
                        "+ 1, 'YYYY-MM-DD') || ' 00:00 Pacific/Kiritimati'")
    );
    EXPECT_EQ(today(), "user/1/30/0.000000/0/0") << "who is refused reserves nothing";
}

TEST_F(budget_store, each_kind_of_limit_counts) {
    for (spending const most : {spending{1, 0, 0}, {0, 10, 0}, {0, 0, 500}}) {
        database_.execute("truncate postrider.budget_day, postrider.budget_hold");
        EXPECT_FALSE(ask({job_id{1}, "a", 1}, of_user(most)));
        pay({{job_id{1}, "a", 1}}, {1, 10, 500});

        auto const empty = ask({job_id{1}, "a", 2}, of_user(most));

        ASSERT_TRUE(empty);
        EXPECT_EQ(empty->kind, most.calls ? "calls" : most.tokens ? "tokens" : "cost");
        EXPECT_FALSE(ask({job_id{2}, "b", 1}, {{"user", "8", most}})) << "others have their own";
    }
}

TEST_F(budget_store, a_later_run_gives_back_what_an_earlier_one_left) {
    EXPECT_FALSE(ask({job_id{1}, "died", 1}, of_user({1, 0, 0})));

    EXPECT_TRUE(ask({job_id{2}, "other", 1}, of_user({1, 0, 0})));
    EXPECT_FALSE(ask({job_id{1}, "next", 1}, of_user({1, 0, 0})));
    pay({{job_id{1}, "died", 1}, {job_id{1}, "next", 1}}, {1, 30, 0});

    EXPECT_EQ(today(), "user/1/30/0.000000/0/0");
}

TEST_F(budget_store, what_nobody_settles_ends_by_itself) {
    EXPECT_FALSE(ask({job_id{1}, "died", 1}, of_user({1, 0, 0})));
    database_.execute("update postrider.budget_hold set until_at = postrider.now()");

    EXPECT_FALSE(ask({job_id{2}, "other", 1}, of_user({1, 0, 0})));
    database_.execute(
        "update postrider.budget_hold set until_at = postrider.now() - interval '2 days'"
    );

    EXPECT_EQ(database_.value("select postrider.prune_budgets()"), "2");
    EXPECT_EQ(database_.value("select count(*) from postrider.budget_hold"), "0");
}

TEST_F(budget_store, a_new_day_is_a_new_budget) {
    EXPECT_FALSE(ask({job_id{1}, "a", 1}, of_user({1, 0, 0})));
    pay({{job_id{1}, "a", 1}}, {1, 30, 0});
    EXPECT_TRUE(ask({job_id{2}, "b", 1}, of_user({1, 0, 0})));

    database_.execute("update postrider.budget_day set day = day - 1");

    EXPECT_FALSE(ask({job_id{2}, "b", 1}, of_user({1, 0, 0})));
}

TEST_F(budget_store, those_who_ask_at_once_do_not_pass_together) {
    std::vector<budget> const budgets{{"total", "", {10, 0, 0}}, {"user", "7", {100, 0, 0}}};
    std::atomic<int> passed = 0;
    std::vector<std::jthread> all;
    for (int i = 0; i < 8; ++i)
        all.emplace_back([this, &budgets, &passed, i] {
            for (int k = 0; k < 5; ++k) {
                auto work = [&](transaction& tx) {
                    reservation_key const key{job_id{i + 1}, "run", k};
                    if (!reserve(tx, key, budgets, {1, 10, 0}, 60s)) ++passed;
                };
                EXPECT_TRUE(run_blocking(database_.options(), work));
            }
        });
    for (auto& thread : all) thread.join();

    EXPECT_EQ(passed, 10);
    EXPECT_EQ(today(), "total/0/0/0.000000/10/100 user/0/0/0.000000/10/100");
}

} // namespace
} // namespace postrider::storage::budgets_test
