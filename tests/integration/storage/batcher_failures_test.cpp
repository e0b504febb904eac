// One bad unit must not fail its neighbours, and nobody may be told a lie about a commit.
#include "base/fault.hpp"
#include "tests/integration/storage/batcher_world.hpp"
#include "tests/support/cutting_proxy.hpp"
#include "tests/support/held_lock.hpp"

#include <csignal>

namespace postrider::tests::batcher_failures_test {
namespace {

using base::errc;
using storage::statement;
using storage::write;
using stages = std::vector<std::vector<write>>;

class batcher_failures : public batcher_world {
protected:
    // Commits 50 notes in one batch with `bad` in their midst; all others must have committed, in
    // order.
    outcome commit_among_others(std::shared_ptr<storage::unit> bad) {
        std::vector<std::shared_ptr<storage::unit>> units;
        for (int n = 0; n < 50; ++n) units.push_back(note(std::to_string(n)));
        units[23] = std::move(bad);
        auto outcomes = commit_together(units);
        for (std::size_t n = 0; n < outcomes.size(); ++n)
            EXPECT_EQ(outcomes[n].has_value(), n != 23)
                << n << ": " << to_string(outcomes[n].error());
        EXPECT_EQ(where.value("select count(distinct text) from public.note"), "49");
        EXPECT_EQ(
            where.value("select bool_and(ordered) from (select text::int >= lag(text::int, 1, 0) "
                        "over (order by id) as ordered from public.note) x"),
            "t"
        );
        return outcomes[23];
    }
};

TEST_F(batcher_failures, a_poisonous_row_fails_its_unit_alone) {
    EXPECT_EQ(commit_among_others(note("poison")).error(), errc::poison);

    EXPECT_GT(batcher().counts().split, 0u);
    EXPECT_LT(batcher().counts().commits, 15u) << "by halves, not one by one";
}

TEST_F(batcher_failures, u0000_fails_its_unit_alone) {
    EXPECT_EQ(commit_among_others(note("\\u0000")).error(), errc::poison);
}

TEST_F(batcher_failures, a_nul_byte_fails_its_unit_alone) {
    EXPECT_EQ(commit_among_others(note(std::string_view("a\0b", 3))).error(), errc::poison);
}

TEST_F(batcher_failures, malformed_json_fails_its_unit_alone) {
    auto const bad = std::make_shared<scripted_unit>(stages{{{&insert_note, R"({"text":})"}}});

    EXPECT_EQ(commit_among_others(bad).error(), errc::poison);
}

TEST_F(batcher_failures, what_was_for_something_deleted_fails_alone) {
    where.execute("create function public.closed() returns int language plpgsql as "
                  "$$ begin raise exception 'closed' using errcode = 'PR002'; end $$");
    static constexpr statement closed{"test.closed", "select public.closed() where $1 <> ''", 3};

    auto const bad = std::make_shared<scripted_unit>(stages{{{&closed, ""}}});

    EXPECT_EQ(commit_among_others(bad).error(), errc::not_found);
}

class throwing final : public storage::unit {
public:
    std::vector<write> stage(int, std::vector<storage::rows> const&) override {
        throw std::logic_error("a unit with a defect");
    }
};

TEST_F(batcher_failures, a_unit_that_throws_fails_alone) {
    EXPECT_EQ(commit_among_others(std::make_shared<throwing>()).error(), errc::internal);
}

TEST_F(batcher_failures, a_unit_with_broken_sql_fails_alone) {
    static constexpr statement broken{"test.broken", "select i from nowhere where $1 = ''", 3};

    auto const bad = std::make_shared<scripted_unit>(stages{{{&broken, ""}}});

    EXPECT_EQ(commit_among_others(bad).error(), errc::internal);
}

// public.conflicting(): a serialisation failure for the first $1 calls.
void make_conflicts(test_database const& where, int number) {
    where.execute(
        "create sequence public.calls; "
        "create function public.conflicting() returns bool language plpgsql as $$ begin "
        "if nextval('public.calls') <= " +
        std::to_string(number) +
        " then "
        "raise exception 'conflict' using errcode = '40001'; end if; return true; end $$"
    );
}

constexpr statement conflicting{
    "test.conflicting",
    "insert into public.note (i, text) select r.i, 'made it' "
    "from json_to_recordset($1::json) as r(i int) where public.conflicting() returning i",
};

// Fails with this SQLSTATE for the note with the text 'bad'.
constexpr statement refused_note{
    "test.refused_note",
    "insert into public.note (i, text) select r.i, public.refused(r.text) "
    "from json_to_recordset($1::json) as r(i int, text text) returning i",
};

struct refusal {
    std::string sqlstate;
    errc outcome;
};
class one_refusal : public batcher_failures, public testing::WithParamInterface<refusal> {};

TEST_P(one_refusal, fails_its_unit_alone) {
    where.execute(
        "create function public.refused(text text) returns text language plpgsql as $$ begin "
        "if text = 'bad' then raise exception 'bad' using errcode = '" +
        GetParam().sqlstate + "'; end if; return text; end $$"
    );
    std::vector<std::shared_ptr<storage::unit>> units;
    for (std::string const text : {"a", "b", "c", "bad", "d", "e"})
        units.push_back(std::make_shared<scripted_unit>(stages{{{&refused_note, note_row(text)}}}));

    auto const outcomes = commit_together(units);

    for (std::size_t n = 0; n < outcomes.size(); ++n)
        EXPECT_EQ(outcomes[n].has_value(), n != 3) << n << ": " << to_string(outcomes[n].error());
    EXPECT_EQ(outcomes[3].error(), GetParam().outcome);
    EXPECT_EQ(where.value("select string_agg(text, '' order by id) from public.note"), "abcde");
}

INSTANTIATE_TEST_SUITE_P(
    of_locks,
    one_refusal,
    testing::Values(
        refusal{"55P03", errc::conflict},
        refusal{"40P01", errc::conflict},
        refusal{"57014", errc::unavailable}
    ),
    [](auto const& refused) { return refused.param.sqlstate; }
);

constexpr statement change_note{
    "test.change_note",
    "update public.note n set text = n.text || '!' "
    "from json_to_recordset($1::json) as r(i int, id bigint) where n.id = r.id returning r.i",
};

std::shared_ptr<scripted_unit> change(std::size_t id) {
    auto row = R"({"id":)" + std::to_string(id) + "}";
    return std::make_shared<scripted_unit>(stages{{{&change_note, std::move(row)}}});
}

TEST_F(batcher_failures, a_lock_that_another_session_holds_fails_its_unit_alone) {
    where.execute("insert into public.note (text) select n from generate_series(1, 50) n");
    held_lock held{where.url(), "select from public.note where id = 24 for update"};
    std::vector<std::shared_ptr<storage::unit>> units;
    for (std::size_t id = 1; id <= 50; ++id) units.push_back(change(id));

    auto const outcomes = commit_together(units);

    for (std::size_t n = 0; n < outcomes.size(); ++n)
        EXPECT_EQ(outcomes[n].has_value(), n != 23) << n << ": " << to_string(outcomes[n].error());
    EXPECT_EQ(outcomes[23].error(), errc::conflict);
    EXPECT_EQ(commit(change(24)).error(), errc::conflict) << "while it is held";
    held.release();
    EXPECT_TRUE(commit(change(24)));
    EXPECT_EQ(where.value("select count(*) from public.note where text like '%!'"), "50");
}

TEST_F(batcher_failures, a_conflict_is_tried_again) {
    make_conflicts(where, 2);
    auto const unit = std::make_shared<scripted_unit>(stages{{{&conflicting, ""}}});

    ASSERT_TRUE(commit(unit));

    EXPECT_EQ(unit->started, 3);
    EXPECT_EQ(notes(), "1");
}

TEST_F(batcher_failures, conflicts_are_given_up_after_five_tries) {
    make_conflicts(where, 1'000);
    auto const unit = std::make_shared<scripted_unit>(stages{{{&conflicting, ""}}});

    EXPECT_EQ(commit(unit).error(), errc::conflict);
    EXPECT_EQ(unit->started, 5);
}

TEST_F(batcher_failures, a_changed_table_is_planned_again) {
    static constexpr statement all{
        "test.all", "select r.i, n.* from json_to_recordset($1::json) as r(i int), public.note n"};
    where.execute("insert into public.note (text) values ('x')");
    ASSERT_TRUE(commit(std::make_shared<scripted_unit>(stages{{{&all, ""}}})));
    where.execute("alter table public.note add column more int");
    auto const unit = std::make_shared<scripted_unit>(stages{{{&all, ""}}});

    ASSERT_TRUE(commit(unit));

    EXPECT_EQ(unit->returned.at(0).at(0).at(0).size(), 5u);
}

TEST_F(batcher_failures, a_lost_answer_to_the_commit_is_ambiguous_for_all) {
    cutting_proxy proxy{where.url()};
    url = proxy.url();
    ASSERT_TRUE(commit(note("connects")));
    proxy.cut("commit", cutting_proxy::moment::after);

    EXPECT_EQ(commit(note("lost")).error(), errc::ambiguous);

    EXPECT_TRUE(proxy.was_cut());
    EXPECT_EQ(notes(), "2");
    EXPECT_TRUE(commit(note("connects again")));
}

// A server that is stopped ends the connection behind what it has carried out.
TEST_F(batcher_failures, a_commit_that_was_confirmed_is_one_whatever_follows) {
    cutting_proxy proxy{where.url()};
    url = proxy.url();
    ASSERT_TRUE(commit(note("connects")));
    proxy.cut("commit", cutting_proxy::moment::confirmed);

    EXPECT_TRUE(commit(note("is there")));

    EXPECT_TRUE(proxy.was_cut());
    EXPECT_EQ(notes(), "2");
    EXPECT_TRUE(commit(note("connects again")));
}

TEST_F(batcher_failures, a_lost_answer_to_a_lone_statement_is_ambiguous) {
    cutting_proxy proxy{where.url()};
    url = proxy.url();
    ASSERT_TRUE(commit(note("connects", true)));
    proxy.cut("test.insert_note", cutting_proxy::moment::after);

    EXPECT_EQ(commit(note("lost", true)).error(), errc::ambiguous);

    EXPECT_EQ(notes(), "2");
}

TEST_F(batcher_failures, a_connection_lost_before_the_commit_is_unavailable) {
    cutting_proxy proxy{where.url()};
    url = proxy.url();
    ASSERT_TRUE(commit(note("connects")));
    proxy.cut("test.insert_note", cutting_proxy::moment::after);

    EXPECT_EQ(commit(note("lost")).error(), errc::unavailable);

    EXPECT_EQ(notes(), "1");
}

TEST_F(batcher_failures, a_lost_read_is_merely_unavailable) {
    options.read_only = true;
    static constexpr statement read{
        "test.read", "select r.i from json_to_recordset($1::json) as r(i int)"};
    cutting_proxy proxy{where.url()};
    url = proxy.url();
    ASSERT_TRUE(commit(std::make_shared<scripted_unit>(stages{{{&read, ""}}})));
    proxy.cut("test.read", cutting_proxy::moment::after);

    EXPECT_EQ(
        commit(std::make_shared<scripted_unit>(stages{{{&read, ""}}})).error(), errc::unavailable
    );
}

TEST_F(batcher_failures, a_unit_whose_deadline_passed_in_the_queue_is_not_committed) {
    base::task_group tasks{loop.executor()};
    auto const busy = keep_busy(tasks);

    EXPECT_EQ(commit(note("late"), 10ms).error(), errc::timeout);

    busy->open();
    loop.run(tasks.join());
    EXPECT_TRUE(commit(note("after")));
    EXPECT_EQ(where.value("select string_agg(text, '') from public.note"), "after");
}

TEST_F(batcher_failures, a_stopped_server_times_units_out_and_close_ends_the_thread) {
    ASSERT_TRUE(commit(note("connects")));
    auto const backend = std::stoi(
        where.value("select pid from pg_stat_activity where application_name = 'postrider-test' "
                    "and datname = current_database()")
    );
    ASSERT_EQ(kill(backend, SIGSTOP), 0);

    EXPECT_EQ(commit(note("stuck"), 50ms).error(), errc::timeout);
    batcher().close();

    EXPECT_EQ(commit(note("closed")).error(), errc::unavailable);
    kill(backend, SIGCONT);
}

class faults : public batcher_failures {
protected:
    faults() {
        options.fault_before = "ingest.before_commit";
        options.fault_after = "ingest.after_commit";
    }
    ~faults() override { (void)base::fault::arm(""); }
};

TEST_F(faults, before_the_commit_leave_nothing_behind) {
    for (bool const alone : {false, true}) {
        ASSERT_TRUE(base::fault::arm("ingest.before_commit:error"));

        EXPECT_EQ(commit(note("never", alone)).error(), errc::unavailable);
    }
    EXPECT_EQ(notes(), "0");
}

TEST_F(faults, after_the_commit_are_ambiguous) {
    for (bool const alone : {false, true}) {
        ASSERT_TRUE(base::fault::arm("ingest.after_commit:error"));

        EXPECT_EQ(commit(note("committed", alone)).error(), errc::ambiguous);
    }
    EXPECT_EQ(notes(), "2");
}

} // namespace
} // namespace postrider::tests::batcher_failures_test
