#include "tests/integration/storage/plans/plan_world.hpp"

#include <fmt/format.h>

#include <optional>
#include <regex>

namespace postrider::tests {

namespace {

// Its rows become more with time or load; other tables hold what people configure.
bool grows(std::string const& table) {
    static std::set<std::string> const all{
        "api_conversation",
        "audit",
        "audit_content",
        "bucket_place",
        "chat",
        "effect",
        "event",
        "inbox",
        "job",
        "job_key",
        "lane",
        "lane_run",
        "mcp_session",
        "memory",
        "memory_progress",
        "memory_source",
        "message",
        "request_key",
        "seen_item",
        "session_message",
        "step",
        "stranger",
        "task",
        "task_call",
        "task_owner",
        "timer",
        "wait"};
    return all.contains(table);
}

// "job" of job_p2000000; nothing for what is no partition.
std::optional<std::string> table_of_partition(std::string const& name) {
    static std::regex const partition("(job|step|effect)_(p|keep_)[0-9_]+");
    std::smatch found;
    if (!std::regex_match(name, found, partition)) return std::nullopt;
    return found[1];
}

constexpr std::string_view first_rows = R"(
insert into postrider.bot (name) values ('main');
insert into postrider.lane (lane_key, bot_id, chat_id) values ('lane', 1, 1);
insert into postrider.node (node_id, pid, pid_started, boot_id, pid_space, host, version, slots)
    values (1, 1, 1, 'boot', 'space', 'host', 'test', 8);
update postrider.lane_run set ready_at = postrider.now(), node_id = 1, epoch = 1, arrivals = 1, head = {0};
insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, run_no, started_at, input)
    values ({0}, 1, 1, 1, 'running', 'turn', 1, postrider.now(), '{{"flow": "f"}}');
insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome)
    values ({0}, 0, postrider.now(), postrider.now(), 1, 'lane', 'done');
insert into postrider.effect (job_id, key, kind, class, state) values ({0}, 'lane', 'send', 'pure', 'started');
insert into postrider.schedule (name, kind, cron) values ('hourly', 'turn', '@hourly');
insert into postrider.pause (scope, bot_id) values ('bot:other', 2);
insert into postrider.lane (lane_key, bot_id, chat_id) values ('waits', 1, 2);
update postrider.lane_run set ready_at = postrider.now() + interval '1 day', epoch = 2, arrivals = 1, head = {0} + 1, wants_mail = true
    where lane_id = 2;
insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, run_no, started_at, due_at, input)
    values ({0} + 1, 2, 1, 1, 'waiting', 'turn', 1, postrider.now(), postrider.now() + interval '1 day', '{{"flow": "f"}}');
insert into postrider.wait (job_id, lane_id, until_at, key, type)
    values ({0} + 1, 2, postrider.now() + interval '1 day', 'k', 't');
)";

// Jobs in each partition, each on a lane of its own; every tenth failed, every tenth waits, the others
// are over. Ten thousand places are at one bucket, those that wait first.
constexpr std::string_view many_rows = R"(
create temp table slot as
    select p.low + 2000 + n as id, 'lane ' || p.low + n as key, n from postrider.partitions() p, generate_series(1, {1}) n
    where p.low < {0};
insert into postrider.lane (lane_key, bot_id, chat_id) select key, 1, id from slot;
create temp table filled as select s.id, s.n, l.lane_id from slot s join postrider.lane l on l.lane_key = s.key;
insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, run_no, started_at, finished_at, error_class, due_at, input)
    select id, lane_id, 1, 1, case n % 10 when 0 then 'failed' when 1 then 'waiting' else 'completed' end, 'turn', 1,
           postrider.now(), case when n % 10 <> 1 then postrider.now() end, case n % 10 when 0 then 'invalid' end,
           case when n % 10 = 1 then postrider.now() + interval '1 day' end,
           '{{"flow": "f"}}' from filled;
insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome)
    select id, 0, postrider.now(), postrider.now(), 1, 'model', 'done' from filled;
insert into postrider.effect (job_id, key, kind, class, state) select id, 'reply', 'send', 'pure', 'done' from filled;
insert into postrider.message (lane_id, job_id, conversation_id, position, role, id, content)
    select lane_id, id, 1, p, 'user', id || '/' || p, 'text' from filled, generate_series(0, 1) p;
insert into postrider.session_message (session, job_id, position, role, content) select id, id, 0, 'user', '' from filled;
insert into postrider.memory (user_id, chat_id, bot_id, kind, content, language, words, made_by)
    select id, 0, 1, 'note', 'text', '', 'text', id from filled;
insert into postrider.memory_source (memory_id, lane_id, job_id, position, user_id)
    select memory_id, 0, user_id, 0, user_id from postrider.memory;
insert into postrider.memory_progress (lane_id, job_id, position) select lane_id, id, 0 from filled;
insert into postrider.seen_item (job_id, flow, node, claim, digest) select id, id, 'n', '', sha256('') from filled;
update postrider.lane_run r set ready_at = postrider.now() + interval '1 day', arrivals = 1, head = id
    from filled f where n % 10 = 1 and r.lane_id = f.lane_id;
insert into postrider.wait (job_id, lane_id, until_at, key, type) select id, lane_id, postrider.now(), 'k', 't' from filled where n % 10 = 1;
insert into postrider.event (event_id, lane_id, type) select id, lane_id, 'other' from filled where n % 10 = 1;
insert into postrider.timer (job_id, due_at) select id, postrider.now() + interval '1 day' from filled where n % 10 = 1;
insert into postrider.job_key (key, job_id) select 'key ' || id, id from filled where n % 10 = 1;
insert into postrider.bucket_place (job_id, lane_id, until_at, reserved, resource)
    select id, lane_id, postrider.now(), true, 'bot:' || n from filled where n % 10 = 1;
insert into postrider.bucket_place (job_id, lane_id, since, until_at, reserved, resource)
    select id, lane_id, postrider.now() - interval '1 hour', postrider.now(), false, 'lane' from filled where n % 10 = 1
    union all
    select {0} + 4000 + n, 1, postrider.now(), postrider.now(), false, 'lane' from generate_series(1, 10000) n;
insert into postrider.inbox (bot_id, update_id, disposition) select 1, id, 'job' from filled;
insert into postrider.chat (bot_id, chat_id) select 1, id from filled;
insert into postrider.stranger (bot_id, user_id, chat_id) select 1, id, id from filled;
insert into postrider.request_key (scope, key, digest, job_id) select 's', id, 'd', id from filled;
insert into postrider.task_owner (user_id, last_task_id) select id, 2 from filled;
insert into postrider.task (user_id, task_id, title) select id, t, 'task' from filled, generate_series(1, 2) t;
insert into postrider.task_call (user_id, call_key, digest) select id, 'lane', 'd' from filled;
insert into postrider.mcp_session (user_id, session_id, revision) select id, id, 'r' from filled;
insert into postrider.api_conversation (lane_id, user_id, id) select lane_id, 1, gen_random_uuid() from filled;
insert into postrider.audit (lane_id, number, job_id, created_at, kind, actor, subject, detail, hash)
    select lane_id, 1, id, postrider.now(), 'model_call', 'user:1', 'model', '{{}}', sha256('') from filled;
insert into postrider.audit_content (lane_id, number, created_at, content) select lane_id, 1, postrider.now(), '' from filled;
)";

constexpr std::string_view parked_rows = R"(
insert into postrider.lane (lane_key, bot_id, chat_id) select 'parked ' || n, 1, n from generate_series(1, {1}) n;
create temp table parked as select lane_id, {0} + lane_id as id from postrider.lane where starts_with(lane_key, 'parked ');
insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, run_no, started_at, due_at, input)
    select id, lane_id, 1, 1, 'waiting', 'turn', 1, postrider.now(), postrider.now() + interval '1 day', '{{"flow": "f"}}' from parked;
update postrider.lane_run r set ready_at = postrider.now() + interval '1 day', epoch = id, arrivals = 1, head = id, wants_mail = true
    from parked p where r.lane_id = p.lane_id;
insert into postrider.wait (job_id, lane_id, until_at, key, type)
    select id, lane_id, postrider.now() + interval '1 day', 'k', 't' from parked;
insert into postrider.event (event_id, lane_id, type) select id, lane_id, 'other' from parked;
)";

} // namespace

plan_world::plan_world(int partitions) {
    for (int ahead = 20; ahead < partitions; ahead += 20) // each time within the statement's time
        database_.execute(fmt::format("select postrider.make_partitions({})", ahead));
    database_.execute(fmt::format("select postrider.make_partitions({})", partitions - 1));
    rows_.job =
        1000 + std::stoll(database_.value(
                   "select low from postrider.partitions() order by low desc offset 2 limit 1"
               ));
    rows_ = {
        .job = rows_.job,
        .lane = 1,
        .lane_key = "lane",
        .node = 1,
        .epoch = 1,
        .conversation = 1,
        .parked_job = rows_.job + 1,
        .parked_lane = 2,
        .parked_epoch = 2};
    database_.execute(fmt::format("select setval('postrider.number', {})", rows_.job + 1'000'000));
    database_.execute(fmt::format(first_rows, rows_.job));
}

void plan_world::fill(int rows_per_partition) const {
    database_.execute(fmt::format(many_rows, rows_.job + 1, rows_per_partition));
}

void plan_world::park(int jobs) const {
    // fill() takes no numbers there.
    database_.execute(fmt::format(parked_rows, rows_.job + 100'000, jobs));
}

void plan_world::connect(std::string const& plan_cache_mode) {
    // Postgres plans for the values five times before it settles for one plan, where it may choose.
    executions_ = plan_cache_mode == "auto" ? 7 : 1;
    auto const options = database_.options();
    batches_ = storage::pg::connect(options, storage::pg::purpose::batches);
    general_ = storage::pg::connect(options, storage::pg::purpose::general);
    for (auto* each : {batches_.get(), general_.get()}) {
        if (!plan_cache_mode.empty()) each->script("set plan_cache_mode = " + plan_cache_mode);
        // One session idles while the other is looked at.
        each->script("set idle_in_transaction_session_timeout = 0");
        // Within a transaction a connection does not renew its plans. It begins with a query.
        each->begin();
        each->query({"test.begin", "select 1"}, {});
    }
}

footprint plan_world::execute(source_statement const& statement) {
    auto& session = is_of_a_batch(statement) ? *batches_ : *general_;
    session.script("savepoint before");
    footprint found;
    try {
        auto const parameters = parameters_for(statement, types_of(statement), rows_);
        for (int n = 1; n < executions_; ++n) run(session, statement, parameters);
        found = look(session, statement, parameters);
    } catch (std::exception const& e) {
        found.error = e.what();
    }
    session.script("rollback to before");
    return found;
}

void plan_world::run(
    storage::pg::connection& session,
    source_statement const& statement,
    std::vector<storage::param> const& parameters
) {
    session.script("savepoint inside");
    session.query({statement.name, statement.sql}, parameters);
    session.script("rollback to inside");
}

footprint plan_world::look(
    storage::pg::connection& session,
    source_statement const& statement,
    std::vector<storage::param> const& parameters
) {
    auto const before = scans_of(session);
    session.query({statement.name, statement.sql}, parameters);
    auto const after = scans_of(session);

    footprint found;
    for (auto const& [name, now] : after) {
        auto const then = before.contains(name) ? before.at(name) : count{};
        auto const parent = table_of_partition(name);
        auto const table = parent.value_or(name);
        if (now.searches + now.whole > then.searches + then.whole && parent)
            found.searched[table].insert(name);
        if (!grows(table)) continue;
        if (now.whole > then.whole) found.read_whole.insert(table);
        if (now.read > then.read) found.read[table] += now.read - then.read;
    }
    return found;
}

plan_world::counts plan_world::scans_of(storage::pg::connection& session) const {
    static storage::statement const look{"test.scans", R"(
select c.relname, pg_stat_get_xact_numscans(c.oid), coalesce(sum(pg_stat_get_xact_numscans(i.indexrelid)), 0),
       pg_stat_get_xact_tuples_returned(c.oid) + coalesce(sum(pg_stat_get_xact_tuples_returned(i.indexrelid)), 0)
from pg_class c left join pg_index i on i.indrelid = c.oid
where c.relnamespace = 'postrider'::regnamespace and c.relkind = 'r'
group by c.oid
having pg_stat_get_xact_numscans(c.oid) > 0 or sum(pg_stat_get_xact_numscans(i.indexrelid)) > 0)"};
    counts all;
    for (auto const& row : session.query(look, {}))
        all[row.text(0)] = {row.int64(1), row.int64(2), row.int64(3)};
    return all;
}

std::vector<std::string> plan_world::types_of(source_statement const& statement) {
    static storage::statement const read{"test.types", R"(
select t::regtype::text from pg_prepared_statements s, unnest(s.parameter_types) with ordinality as u(t, n)
where s.name = 'examined' order by n)"};
    general_->script("prepare examined as " + statement.sql);
    std::vector<std::string> all;
    for (auto const& row : general_->query(read, {})) all.push_back(row.text(0));
    general_->script("deallocate examined");
    return all;
}

} // namespace postrider::tests
