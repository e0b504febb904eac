// What each of a process' connections promises.
#include "storage/connections.hpp"
#include "tests/integration/storage/batcher_world.hpp"

namespace postrider::tests::connections_test {
namespace {

class connections : public batcher_world {
protected:
    // The first unit's statement returns, the second's fails.
    void commit_good_and_bad(storage::batcher& on) {
        base::task_group tasks{loop.executor()};
        auto const busy = std::make_shared<busy_unit>();
        tasks.spawn("busy", commit_into(on, busy, nullptr));
        until([&] { return busy->begun.load(); });
        tasks.spawn("good", commit_into(on, note("good"), &good));
        tasks.spawn("bad", commit_into(on, std::make_shared<scripted_unit>(bad_stages), &bad));
        until([&] { return on.counts().waiting == 2; });
        busy->open();
        loop.run(tasks.join());
    }

    outcome good = base::error(base::errc::internal, "not ended");
    outcome bad = base::error(base::errc::internal, "not ended");

private:
    static constexpr storage::statement refused{
        "test.refused",
        "insert into public.note (i, text) select r.i, 'poison' "
        "from json_to_recordset($1::json) as r(i int) returning i",
        2};
    std::vector<std::vector<storage::write>> const bad_stages{{{&refused, ""}}};
};

TEST_F(connections, what_has_been_written_is_not_written_again_for_another_units_sake) {
    auto all = storage::connect(loop.executor(), where.options());

    commit_good_and_bad(*all.quick);

    EXPECT_TRUE(good);
    EXPECT_EQ(bad.error(), base::errc::poison);
    EXPECT_EQ(where.value("select string_agg(text, ' ') from public.note"), "good");
    all.close();
}

TEST_F(connections, tell_that_the_database_has_no_room) {
    where.execute(
        "create function public.write() returns trigger language plpgsql as $$ begin "
        "raise exception 'could not extend file' using errcode = '53100'; end $$; "
        "create trigger no_room before insert on public.note for each row execute function "
        "public.write()"
    );
    std::optional<std::string> reason;
    auto all = storage::connect(loop.executor(), where.options(), [&](auto const& told) {
        reason = told;
    });

    bad = loop.run(all.intake->commit(note("no room"), 5s));

    EXPECT_EQ(bad.error(), base::errc::unavailable);
    EXPECT_EQ(reason, "the disk of the database is full");
    all.close();
}

TEST_F(connections, tell_that_the_database_is_read_only) {
    where.execute("alter database " + where.name() + " set default_transaction_read_only = on");
    std::optional<std::string> reason;
    auto all = storage::connect(loop.executor(), where.options(), [&](auto const& told) {
        reason = told;
    });

    bad = loop.run(all.intake->commit(note("not now"), 5s));

    EXPECT_EQ(reason, "the database is read-only");
    all.close();
}

} // namespace
} // namespace postrider::tests::connections_test
