#include "storage/migrations.hpp"

#include "base/log.hpp"

namespace postrider::storage {

namespace {

// The first statements may run before any migration has: they create what they need. Concurrent
// starters can collide on "if not exists" itself, hence the lock, which ends with the transaction.
constexpr std::string_view prepare_database = R"(
select pg_advisory_xact_lock(7235131974200142965);
create schema if not exists postrider;
create table if not exists postrider.migration (
    number     int primary key,
    name       text not null,
    breaking   boolean not null,
    applied_at timestamptz not null default now()
);
comment on table postrider.migration is 'the migrations that were applied, newest = the schema''s version';
comment on column postrider.migration.breaking is 'older binaries refuse to start on this schema';
)";

constexpr int oldest_server = 140'000;

constexpr statement find_version{
    "migrations.version",
    "select current_setting('server_version_num'), current_setting('server_version')"};

constexpr statement find_prepared{
    "migrations.prepared", "select to_regclass('postrider.migration') is not null"};

constexpr statement find_newest{
    "migrations.newest",
    "select coalesce(max(number), 0), coalesce(min(number) filter (where breaking and number > "
    "$1), 0) "
    "from postrider.migration"};

constexpr statement find_applied{
    "migrations.applied", "select number from postrider.migration order by number"};

// Waits for another process that is applying it, and returns no row when that one succeeded.
constexpr statement claim{
    "migrations.claim",
    "insert into postrider.migration (number, name, breaking) values ($1, $2, $3) "
    "on conflict do nothing returning number"};

bool is_breaking(migration const& one) {
    return one.sql.starts_with("-- breaking\n");
}

struct state {
    std::string too_old_server;
    int newest = 0;
    int breaking_beyond_ours = 0;
    std::vector<std::int64_t> applied;
};

base::result<state> inspect(database_options const& options, int ours) {
    state found;
    auto done = run_blocking(options, [&](transaction& tx) {
        auto const server = tx.query(find_version).at(0);
        if (server.int64(0) < oldest_server) {
            found.too_old_server = server.text(1);
            return;
        }
        if (!tx.query(find_prepared).at(0).boolean(0)) tx.script(prepare_database);
        auto const newest = tx.query(find_newest, {ours}).at(0);
        found.newest = static_cast<int>(newest.int64(0));
        found.breaking_beyond_ours = static_cast<int>(newest.int64(1));
        found.applied.clear();
        for (auto const& line : tx.query(find_applied)) found.applied.push_back(line.int64(0));
    });
    if (!done) return done.error();
    return found;
}

// False: another process was faster.
base::result<bool> apply(database_options const& options, migration const& one) {
    bool mine = false;
    auto done = run_blocking(options, [&](transaction& tx) {
        // Building an index takes longer than a statement of daily work may.
        tx.script("set local statement_timeout = 0");
        mine = !tx.query(claim, {one.number, one.name, is_breaking(one)}).empty();
        if (mine) tx.script(one.sql);
    });
    if (!done) return done.error();
    return mine;
}

} // namespace

base::result<migration_report> migrate(
    database_options const& options, std::span<migration const> all
) {
    auto const ours = all.empty() ? 0 : all.back().number;
    auto found = inspect(options, ours);
    if (!found) return found.error();
    if (!found->too_old_server.empty())
        return base::error(
            base::errc::refused,
            "Postgres " + found->too_old_server + " is too old: 14 or newer is needed"
        );
    if (found->breaking_beyond_ours > 0)
        return base::error(
            base::errc::refused,
            "the database has migration " + std::to_string(found->breaking_beyond_ours) +
                ", which this version (schema " + std::to_string(ours) +
                ") does not understand: start a newer version"
        );
    if (found->newest > ours)
        base::log::info("migrations.newer_schema", {{"ours", ours}, {"schema", found->newest}});

    migration_report report{found->newest, found->newest, {}};
    for (auto const& one : all) {
        if (std::ranges::binary_search(found->applied, one.number)) continue;
        auto mine = apply(options, one);
        if (!mine) return mine.error();
        if (*mine) {
            base::log::info("migrations.applied", {{"migration", one.name}});
            report.applied.emplace_back(one.name);
        }
        report.now = std::max(report.now, one.number);
    }
    return report;
}

} // namespace postrider::storage
