#include "tests/integration/storage/batcher_world.hpp"
#include "tests/support/cutting_proxy.hpp"

namespace postrider::tests::batcher_test {
namespace {

using storage::statement;
using storage::write;

TEST_F(batcher_world, commits_a_unit_and_gives_it_its_rows) {
    auto const unit = note("hello");

    ASSERT_TRUE(commit(unit));

    EXPECT_EQ(where.value("select text from public.note"), "hello");
    ASSERT_EQ(unit->returned.size(), 1u);
    EXPECT_EQ(unit->returned[0][0].at(0).text(1), where.value("select id from public.note"));
}

TEST_F(batcher_world, units_that_wait_together_share_a_commit) {
    std::vector<std::shared_ptr<storage::unit>> units;
    for (int n = 0; n < 50; ++n) units.push_back(note(std::to_string(n)));

    auto const outcomes = commit_together(units);

    for (auto const& ended : outcomes) EXPECT_TRUE(ended.has_value());
    EXPECT_EQ(notes(), "50");
    EXPECT_EQ(where.value("select count(distinct xmin::text) from public.note"), "1");
    EXPECT_EQ(batcher().counts().commits, 2u) << "the busy unit's and theirs";
    EXPECT_EQ(batcher().counts().units, 51u);
}

TEST_F(batcher_world, every_unit_gets_its_own_rows) {
    std::vector<std::shared_ptr<scripted_unit>> units;
    for (int n = 0; n < 50; ++n) units.push_back(note(std::to_string(n)));

    commit_together({units.begin(), units.end()});

    for (std::size_t n = 0; n < units.size(); ++n) {
        auto const id = units[n]->returned.at(0).at(0).at(0).text(1);
        EXPECT_EQ(where.value("select text from public.note where id = " + id), std::to_string(n));
    }
}

TEST_F(batcher_world, a_batch_is_never_larger_than_its_limit) {
    options.largest_batch = 10;
    std::vector<std::shared_ptr<storage::unit>> units;
    for (int n = 0; n < 25; ++n) units.push_back(note(std::to_string(n)));

    commit_together(units);

    EXPECT_EQ(where.value("select count(distinct xmin::text) from public.note"), "3");
    EXPECT_EQ(
        where.value(
            "select max(n) from (select count(*) as n from public.note group by xmin::text) x"
        ),
        "10"
    );
}

TEST_F(batcher_world, units_commit_in_the_order_of_their_calls) {
    options.largest_batch = 3;
    std::vector<std::shared_ptr<storage::unit>> units;
    for (int n = 0; n < 10; ++n) units.push_back(note(std::to_string(n)));

    commit_together(units);

    EXPECT_EQ(
        where.value("select string_agg(text, '' order by id) from public.note"), "0123456789"
    );
}

// Its next stage depends on what the one before returned.
class answering final : public storage::unit {
public:
    std::vector<write> stage(int number, std::vector<storage::rows> const& returned) override {
        if (number == 0) return {{&insert_note, note_row("question")}};
        if (number == 1)
            return {{&insert_note, note_row("answer to " + returned.at(0).at(0).text(1))}};
        return {};
    }
};

TEST_F(batcher_world, a_unit_decides_its_next_stage_from_its_rows) {
    ASSERT_TRUE(commit(std::make_shared<answering>()));

    EXPECT_EQ(where.value("select text from public.note order by id desc limit 1"), "answer to 1");
    EXPECT_EQ(where.value("select count(distinct xmin::text) from public.note"), "1");
}

TEST_F(batcher_world, a_lone_promised_statement_needs_no_begin_and_commit) {
    cutting_proxy proxy{where.url()};
    url = proxy.url();
    proxy.seen("begin");

    ASSERT_TRUE(commit(note("promised", true)));
    EXPECT_EQ(proxy.seen("begin"), 0);

    ASSERT_TRUE(commit(note("open", false)));
    EXPECT_EQ(proxy.seen("begin"), 1);
    EXPECT_EQ(notes(), "2");
}

TEST_F(batcher_world, a_read_only_batch_reads_without_a_transaction) {
    cutting_proxy proxy{where.url()};
    url = proxy.url();
    proxy.seen("begin");
    options.read_only = true;
    where.execute("insert into public.note (text) values ('there')");
    static constexpr statement read{
        "test.read",
        "select r.i, n.text from json_to_recordset($1::json) as r(i int), public.note n"};
    std::vector<std::vector<write>> const twice{{{&read, ""}}, {{&read, ""}}};
    auto const unit = std::make_shared<scripted_unit>(twice);

    ASSERT_TRUE(commit(unit));

    EXPECT_EQ(unit->returned.at(1).at(0).at(0).text(1), "there");
    EXPECT_EQ(proxy.seen("begin"), 0);
}

TEST_F(batcher_world, its_sessions_walk_indexes) {
    static constexpr statement setting{
        "test.setting",
        "select r.i, current_setting('enable_seqscan'), current_setting('application_name') "
        "from json_to_recordset($1::json) as r(i int)"};
    auto const unit =
        std::make_shared<scripted_unit>(std::vector<std::vector<write>>{{{&setting, ""}}});

    ASSERT_TRUE(commit(unit));

    EXPECT_EQ(unit->returned.at(0).at(0).at(0).text(1), "off");
    EXPECT_EQ(unit->returned.at(0).at(0).at(0).text(2), "postrider-test");
}

TEST_F(batcher_world, several_connections_commit_side_by_side) {
    options.connections = 2;
    options.largest_batch = 1;
    auto const busy = std::make_shared<busy_unit>();
    outcome busy_ended = base::error(base::errc::internal, "not ended");
    base::task_group tasks{loop.executor()};
    tasks.spawn("busy", commit_into(batcher(), busy, &busy_ended));
    until([&] { return busy->begun.load(); });

    auto const beside = commit(note("beside the other"));
    busy->open();
    loop.run(tasks.join());

    EXPECT_TRUE(beside);
    EXPECT_TRUE(busy_ended);
}

TEST_F(batcher_world, works_without_prepared_statements) {
    auto database = where.options();
    database.prepared = false;
    auto unprepared = storage::make_batcher(loop.executor(), database, options);

    EXPECT_TRUE(loop.run(unprepared->commit(note("plain", true), 5s)));

    EXPECT_EQ(notes(), "1");
}

TEST_F(batcher_world, tells_what_waits) {
    EXPECT_EQ(batcher().counts().waiting, 0u);
    base::task_group tasks{loop.executor()};
    auto const busy = keep_busy(tasks);
    for (int n = 0; n < 3; ++n) tasks.spawn("waits", commit_into(batcher(), note("x"), nullptr));
    until([&] { return batcher().counts().waiting == 3; });
    until([&] { return batcher().counts().oldest >= 5ms; });
    EXPECT_GE(batcher().counts().under_way, 5ms) << "what keeps it busy";

    busy->open();
    loop.run(tasks.join());
    until([&] { return batcher().counts().under_way == 0ms; });

    EXPECT_EQ(batcher().counts().waiting, 0u);
    EXPECT_EQ(batcher().counts().oldest, 0ms);
}

class apart_note final : public scripted_unit {
public:
    explicit apart_note(std::string_view text)
        : scripted_unit({{{&insert_note, note_row(text)}}}) {}
    bool apart() const override { return true; }
};

TEST_F(batcher_world, a_unit_apart_commits_by_itself_and_in_its_place) {
    commit_together({note("a"), note("b"), std::make_shared<apart_note>("c"), note("d"), note("e")}
    );

    EXPECT_EQ(where.value("select string_agg(text, '' order by id) from public.note"), "abcde");
    EXPECT_EQ(
        where.value("select string_agg(n::text, ' ' order by least) from (select count(*) as n, "
                    "min(id) as least from public.note group by xmin::text) x"),
        "2 1 2"
    );
}

} // namespace
} // namespace postrider::tests::batcher_test
