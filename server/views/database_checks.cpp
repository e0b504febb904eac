// The Postgres server and its storage.
#include "server/views/database_checks.hpp"

#include "base/clock.hpp"
#include "server/start/version.hpp"
#include "server/views/knowledge_checks.hpp"
#include "server/views/memory_checks.hpp"
#include "storage/schema.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace postrider::server {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t oldest_server = 150000; // server_version_num
constexpr base::duration clocks_agree = 2s;
constexpr base::duration clocks_differ = 30s;
constexpr std::int64_t long_transaction = std::int64_t{10} * 60; // s
constexpr std::int64_t endless_transaction = std::int64_t{60} * 60;
constexpr std::int64_t many_dead_rows = 100'000;
constexpr std::uintmax_t gib = 1u << 30;

constexpr storage::statement server_facts{
    "check.server_facts",
    "select current_setting('server_version'), current_setting('server_version_num')::bigint, "
    "(extract(epoch from clock_timestamp()) * 1000)::bigint, current_user, "
    "case when to_regnamespace('postrider') is null then "
    "has_database_privilege(current_database(), 'create') "
    "     else has_schema_privilege(to_regnamespace('postrider')::oid, 'create') end"};

// New partitions and migrations need the owner of the tables, or a member of it.
constexpr storage::statement foreign_tables{
    "check.foreign_tables",
    "select count(*), min(relname) from pg_class where relnamespace = to_regnamespace('postrider') "
    "and relkind in ('r', 'p') and not pg_has_role(relowner, 'usage')"};

constexpr storage::statement storage_facts{
    "check.storage_facts",
    "select coalesce(extract(epoch from oldest_transaction), 0)::bigint, partitions_ahead from "
    "postrider.queue_health"};

constexpr storage::statement dirtiest_table{
    "check.dirtiest_table",
    "select relname, n_dead_tup, n_live_tup from pg_stat_user_tables where schemaname = "
    "'postrider' "
    "order by n_dead_tup desc limit 1"};

// Null when this role may not know the folder, or the server is on another machine.
constexpr storage::statement where_it_lies{
    "check.where_it_lies",
    "select pg_size_pretty(pg_database_size(current_database())), "
    "case when inet_server_addr() is null then (select setting from pg_settings where name = "
    "'data_directory') end"};

// The source tells whose setting it is: the database's, the role's, the server's, the client's.
constexpr storage::statement writing_facts{
    "check.writing_facts",
    "select pg_is_in_recovery(), setting = 'on', source, quote_ident(current_database()), "
    "quote_ident(current_user) "
    "from pg_settings where name = 'default_transaction_read_only'"};

finding version_of(storage::row const& facts) {
    auto const detail = "Postgres " + facts.text(0);
    if (facts.int64(1) < oldest_server)
        return {"postgres", verdict::fail, detail + "; 15 is the oldest that is supported"};
    return {"postgres", verdict::ok, detail};
}

// The way out by the place of the setting. Postgres refuses these statements, too, outside of a
// transaction that is said to write.
std::string writable_again(storage::row const& facts) {
    auto const source = facts.text(2);
    std::string const reset = "reset default_transaction_read_only";
    if (source == "database")
        return fmt::format(
            "`begin read write; alter database {} {}; commit` ends it", facts.text(3), reset
        );
    if (source == "user")
        return fmt::format(
            "`begin read write; alter role {} {}; commit` ends it", facts.text(4), reset
        );
    if (source == "database user")
        return fmt::format(
            "`begin read write; alter role {} in database {} {}; commit` ends it",
            facts.text(4),
            facts.text(3),
            reset
        );
    if (source == "client")
        return "the options of DATABASE_URL or PGOPTIONS set it: take it out there";
    return "it is set in the server's configuration (" + source + "): take it out there and reload";
}

finding clock_of(storage::row const& facts, base::sys_time here) {
    base::sys_time const there{std::chrono::milliseconds{facts.int64(2)}};
    auto const apart = there > here ? there - here : here - there;
    auto const detail = fmt::format(
        "{} {} the database's", base::to_text(apart), there > here ? "behind" : "ahead of"
    );
    if (apart < clocks_agree) return {"clock", verdict::ok, "agrees with the database's"};
    return {
        "clock",
        apart < clocks_differ ? verdict::warn : verdict::fail,
        detail +
            ": records have the database's time, prompts and logs this machine's. NTP sets both"};
}

finding rights_of(storage::row const& facts, storage::row const& foreign) {
    auto const role = "role " + facts.text(3);
    if (!facts.boolean(4))
        return {
            "rights",
            verdict::fail,
            role + " may not create in the schema postrider: make it the owner of the database, or "
                   "of the schema"};
    if (foreign.int64(0) > 0)
        return {
            "rights",
            verdict::fail,
            fmt::format(
                "{} of the tables belong to others ({}): their owner can `reassign owned` to {}",
                foreign.int64(0),
                foreign.text(1),
                facts.text(3)
            )};
    return {"rights", verdict::ok, role + " may read, write and migrate"};
}

finding long_transactions(std::int64_t seconds) {
    auto const age = base::to_text(std::chrono::seconds{seconds});
    if (seconds < long_transaction)
        return {"transactions", verdict::ok, "the oldest is " + age + " old"};
    return {
        "transactions",
        seconds < endless_transaction ? verdict::warn : verdict::fail,
        "the oldest is open for " + age + ": nothing that died since can be cleaned away",
        in_psql(
            "select pid, usename, state, query from pg_stat_activity order by xact_start limit 3"
        )};
}

finding partitions(std::int64_t ahead) {
    auto const detail = fmt::format("{} ahead of the newest job", ahead);
    if (ahead > 0) return {"partitions", verdict::ok, detail};
    return {
        "partitions",
        verdict::fail,
        detail + "; a running server makes them every ten seconds",
        in_psql("select make_partitions()")};
}

finding dead_rows(storage::rows const& tables) {
    if (tables.empty()) return {"dead rows", verdict::ok, "none"};
    auto const& worst = tables.front();
    auto const detail = fmt::format(
        "{} has {} dead rows and {} live ones", worst.text(0), worst.int64(1), worst.int64(2)
    );
    bool const many = worst.int64(1) > many_dead_rows && worst.int64(1) > worst.int64(2);
    if (!many) return {"dead rows", verdict::ok, detail};
    return {
        "dead rows",
        verdict::warn,
        detail + ": autovacuum is off, or an old transaction keeps them",
        in_psql("vacuum " + worst.text(0))};
}

std::string in_gib(std::uintmax_t bytes) {
    return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / gib);
}

finding disk(storage::row const& where) {
    auto const size = "the database has " + where.text(0);
    std::error_code ec;
    auto const space = std::filesystem::space(where.optional_text(1).value_or(""), ec);
    if (ec) return {"disk", verdict::ok, size + "; its disk cannot be seen from here"};
    auto const detail = fmt::format("{}, {} are free", size, in_gib(space.available));
    if (space.available > space.capacity / 10 || space.available > 20 * gib)
        return {"disk", verdict::ok, detail};
    return {
        "disk",
        space.available < gib ? verdict::fail : verdict::warn,
        detail + ": a full disk stops Postgres. Give it more, or keep less ([retention])"};
}

finding examined_schema(storage::schema_state const& state) {
    if (!state.refusal.empty()) return {"schema", verdict::fail, state.refusal};
    int const own = this_version().schema;
    auto detail = fmt::format("{}, this program brings {}", state.number, own);
    if (state.up_to_date()) return {"schema", verdict::ok, detail};
    if (state.number == own) detail += "; its functions and views are of another version";
    return {"schema", verdict::fail, detail, "postrider migrate"};
}

} // namespace

findings look_at_writing(storage::transaction& tx) {
    auto const facts = tx.query(writing_facts).front();
    if (facts.boolean(0))
        return {
            {"writing",
             verdict::fail,
             "the database is read-only: its server is a standby. DATABASE_URL should name the "
             "primary, or all hosts and target_session_attrs=read-write"}};
    if (!facts.boolean(1)) return {};
    return {
        {"writing",
         verdict::fail,
         "the database is read-only: default_transaction_read_only is on; " +
             writable_again(facts) +
             ". Some providers set it while the disk is full: make room first"}};
}

findings look_at_server(storage::transaction& tx) {
    auto const facts = tx.query(server_facts).front();
    auto const here = base::system_clock().now();
    findings result{version_of(facts)};
    append(result, look_at_writing(tx));
    result.push_back(clock_of(facts, here));
    result.push_back(rights_of(facts, tx.query(foreign_tables).front()));
    return result;
}

findings look_at_storage(storage::transaction& tx) {
    auto const facts = tx.query(storage_facts).front();
    return {
        long_transactions(facts.int64(0)),
        dead_rows(tx.query(dirtiest_table)),
        partitions(facts.int64(1)),
        disk(tx.query(where_it_lies).front())};
}

bool look_at_installation(
    storage::transaction& tx,
    config const& settings,
    agent::flow::validator const& validator,
    findings& found
) {
    append(found, look_at_server(tx));
    found.push_back(examined_schema(storage::inspect_schema(tx)));
    if (found.back().verdict == verdict::fail) return false;
    append(found, look_at_nodes(tx));
    append(found, look_at_work(tx));
    append(found, look_at_flows(tx, validator));
    append(found, look_at_tool_models(tx, settings));
    append(found, look_at_memories(tx, settings));
    append(found, look_at_knowledge(tx, settings));
    append(found, look_at_storage(tx));
    return true;
}

} // namespace postrider::server
