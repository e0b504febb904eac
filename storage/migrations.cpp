#include "storage/migrations.hpp"

#include "base/log.hpp"

namespace postrider::storage {

namespace {

constexpr int oldest_server = 150'000;

constexpr statement find_server{
    "migrations.server",
    "select current_setting('server_version_num'), current_setting('server_version')"};

// Building an index takes longer than a statement of daily work may, and so does waiting for the
// process that builds it. The lock ends with the transaction.
constexpr std::string_view take_lock = R"(
set local statement_timeout = 0;
set local lock_timeout = 0;
select pg_advisory_xact_lock(7235131974200142965);
)";
// A table is waited for no longer: whoever comes behind it waits as well, which is every chat.
constexpr base::duration longest_wait_for_table{std::chrono::seconds{5}};

constexpr std::string_view prepare_database = R"(
create schema if not exists postrider;
create table if not exists postrider.migration (
    number     int primary key,
    name       text not null,
    digest     text not null,
    breaking   boolean not null,
    applied_at timestamptz not null default now()
);
comment on table postrider.migration is 'the files of tables that were applied, newest = the schema''s version';
comment on column postrider.migration.digest is 'of the file''s text, SHA-256: a released file never changes';
comment on column postrider.migration.breaking is 'older binaries refuse to start on this schema';
create table if not exists postrider.source (
    name       text primary key,
    digest     text not null,
    release    text not null,
    defines    text[] not null,
    applied_at timestamptz not null default now()
);
alter table postrider.source add column if not exists number int not null default 0;
comment on column postrider.source.number is 'the number of the schema that applied it; a build with a smaller one leaves it alone';
comment on table postrider.source is 'the files of functions and views that were applied; one whose text has changed is applied again';
comment on column postrider.source.digest is 'of the file''s text, SHA-256';
comment on column postrider.source.release is 'the version that applied it';
comment on column postrider.source.defines is 'names of the functions or views in it';
)";

constexpr statement store_migration{
    "migrations.store",
    "insert into postrider.migration (number, name, digest, breaking) values ($1, $2, $3, $4)"};

constexpr statement store_source{
    "migrations.store_source",
    R"(
insert into postrider.source (name, digest, release, number, defines)
values ($1, $2, $3, $5, array(select distinct m[1]
    from regexp_matches($4, '^create (?:or replace )?(?:function|view) postrider\.(\w+)', 'gn') m))
on conflict (name) do update
set digest = excluded.digest, release = excluded.release, number = excluded.number, defines = excluded.defines, applied_at = now()
)"};

constexpr statement forget_source{
    "migrations.forget_source", "delete from postrider.source where name = $1"};

// The views of our files, and those of other people that depend on them.
constexpr statement find_views{
    "migrations.views",
    R"(
with own_views as materialized (
    select c.oid from postrider.source s, unnest(s.defines) name
    join pg_class c on c.relname = name and c.relnamespace = 'postrider'::regnamespace and c.relkind = 'v'
    where s.name like 'views/%'
)
select (select string_agg(oid::regclass::text, ', ') from own_views),
       (select string_agg(distinct w.ev_class::regclass::text, ', ')
        from pg_depend d join pg_rewrite w on d.classid = 'pg_rewrite'::regclass and w.oid = d.objid
        where d.refclassid = 'pg_class'::regclass and d.refobjid in (select oid from own_views)
          and w.ev_class not in (select oid from own_views))
)"};

constexpr statement find_defined{
    "migrations.defined", "select unnest(defines) from postrider.source where name = $1"};

constexpr statement offer_source{
    "migrations.offer_source",
    "select set_config('postrider.source_name', $1, true), set_config('postrider.source_text', $2, "
    "true)"};

// In place, so that nobody who calls a function meanwhile misses it. Postgres cannot replace one
// whose result or whose parameters' names are others: that one is dropped before.
constexpr std::string_view apply_functions = R"(
do $$
declare
    former regprocedure;
begin
    execute current_setting('postrider.source_text');
exception when invalid_function_definition then
    for former in
        select p.oid from postrider.source s, unnest(s.defines) name
        join pg_proc p on p.proname = name and p.pronamespace = 'postrider'::regnamespace
        where s.name = current_setting('postrider.source_name')
          and not exists (select from pg_depend d where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid)
    loop
        execute format('drop function %s', former);
    end loop;
    execute current_setting('postrider.source_text');
end $$
)";

// Those of a name that this transaction has not written: their file defines them no more, or with
// other parameters.
constexpr statement find_leftovers{
    "migrations.leftovers",
    "select oid::regprocedure::text from pg_proc where proname = $1 and pronamespace = "
    "'postrider'::regnamespace and age(xmin) > 0"};

// Applies what is due, inside the transaction that holds the lock.
class schema_update {
public:
    schema_update(transaction& tx, schema const& files, schema_state const& state)
        : tx_(tx),
          files_(files),
          state_(state) {}

    // Why it cannot be done; nothing has been changed then.
    std::string run() {
        tx_.script(prepare_database);
        auto const views = tx_.query(find_views).at(0);
        if (!views.null(1))
            return "the view " + views.text(1) +
                   " depends on a view of postrider, which this version replaces: drop it, and "
                   "make it again afterwards";
        if (!views.null(0)) tx_.script("drop view " + views.text(0));
        for (auto const* file : state_.due)
            if (is_table(*file)) apply_table(*file);
        apply_sources();
        return {};
    }

private:
    static bool is_table(schema_file const& file) { return file.name.starts_with("tables/"); }

    void apply_table(schema_file const& file) {
        tx_.script(file.sql);
        bool const breaking = file.sql.starts_with("-- breaking\n");
        tx_.query(store_migration, {number_of(file), file.name, file.digest, breaking});
    }

    void apply_sources() {
        std::vector<std::string> former;
        for (auto const& name : state_.gone) collect_defined(name, former);
        for (auto const& name : state_.gone) tx_.query(forget_source, {name});
        for (auto const& file : files_.functions) {
            if (std::ranges::find(state_.due, &file) == state_.due.end()) continue;
            collect_defined(file.name, former);
            store(file);
            tx_.query(offer_source, {file.name, file.sql});
            tx_.script(apply_functions);
        }
        for (auto const& name : former) drop_leftovers(name);
        for (auto const& file : files_.views) {
            tx_.script(file.sql);
            store(file);
        }
    }

    void collect_defined(std::string_view file, std::vector<std::string>& names) {
        for (auto const& defined : tx_.query(find_defined, {file}))
            names.push_back(defined.text(0));
    }

    void drop_leftovers(std::string const& name) {
        for (auto const& function : tx_.query(find_leftovers, {name}))
            tx_.script("drop function " + function.text(0));
    }

    void store(schema_file const& file) {
        tx_.query(store_source, {file.name, file.digest, files_.release, file.sql, files_.number});
    }

    transaction& tx_;
    schema const& files_;
    schema_state const& state_;
};

std::string refusal_of_server(transaction& tx) {
    auto const server = tx.query(find_server).at(0);
    if (server.int64(0) >= oldest_server) return {};
    return "Postgres " + server.text(1) + " is too old: 15 or newer is needed";
}

struct inspection {
    schema_state state;
    std::string refusal; // empty: the database is fit, or was brought up to date

    bool settled() const { return !refusal.empty() || state.up_to_date(); }
};

inspection inspect(transaction& tx, schema const& files) {
    if (auto refusal = refusal_of_server(tx); !refusal.empty()) return {{}, std::move(refusal)};
    auto state = inspect_schema(tx, files);
    auto refusal = state.refusal;
    return {std::move(state), std::move(refusal)};
}

// The lock is the transaction's first statement. A transaction that has looked for the tables
// before it waits goes on believing that they are not there.
inspection bring_up_to_date(transaction& tx, schema const& files, base::duration for_tables) {
    tx.script(take_lock);
    auto const wait = std::chrono::ceil<std::chrono::milliseconds>(for_tables);
    tx.script("set local lock_timeout = " + std::to_string(wait.count()));
    auto found = inspect(tx, files);
    if (!found.settled()) found.refusal = schema_update(tx, files, found.state).run();
    return found;
}

migration_report report_of(schema_state const& state, schema const& files) {
    migration_report report{state.number, std::max(state.number, newest_number(files)), {}};
    for (auto const* file : state.due) {
        base::log::debug("migrations.file_applied", {{"file", file->name}});
        report.applied.emplace_back(file->name);
    }
    if (auto const count = report.applied.size(); count > 0)
        base::log::info("migrations.applied", {{"count", count}, {"number", files.number}});
    if (state.newer)
        base::log::info(
            "migrations.newer_schema", {{"ours", newest_number(files)}, {"schema", state.number}}
        );
    return report;
}

} // namespace

base::result<migration_report> migrate(database_options const& options, schema const& files) {
    inspection inspected;
    auto inspection_run =
        run_blocking(options, [&](transaction& tx) { inspected = inspect(tx, files); });
    auto const for_tables =
        options.lock_timeout > base::duration{0} ? options.lock_timeout : longest_wait_for_table;
    if (inspection_run && !inspected.settled())
        inspection_run = run_blocking(options, [&](transaction& tx) {
            inspected = bring_up_to_date(tx, files, for_tables);
        });
    if (!inspection_run && inspection_run.error() == base::errc::conflict)
        return base::error(
            base::errc::conflict,
            "another session holds a table of the schema: end its transaction, then start again "
            "(pg_stat_activity shows when each transaction began)"
        );
    if (!inspection_run) return inspection_run.error();
    if (!inspected.refusal.empty()) return base::error(base::errc::refused, inspected.refusal);
    return report_of(inspected.state, files);
}

} // namespace postrider::storage
