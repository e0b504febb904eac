#include "server/app/maintenance.hpp"

#include "base/log.hpp"
#include "storage/transact.hpp"

namespace postrider::server {

namespace {

using namespace std::chrono_literals;

constexpr auto maintenance_pause = 10min;
constexpr auto deadline = 20s;

// A partition is looked through once, beside everybody's work.
constexpr auto longest_look = 10min;
constexpr std::string_view look_for_long = "set local statement_timeout = '9min'";
// Somebody reads for long, or vacuums: tried again so often, then in the next round.
constexpr int tries_while_busy = 20;
constexpr auto busy_pause = 3s;

// $1 and $2 in seconds. Bounded, and past rows that another node is deleting.
constexpr storage::statement prune{"maintenance.prune_inbox", R"sql(
with due as (
    select ctid as row from postrider.inbox
    where disposition <> 'rejected' and received_at < postrider.now() - make_interval(secs => $1::float8)
    order by received_at limit 5000
    for update skip locked),
rejected as (
    select ctid as row from postrider.inbox
    where disposition = 'rejected' and received_at < postrider.now() - make_interval(secs => $2::float8)
    order by received_at limit 5000
    for update skip locked),
gone as (
    delete from postrider.inbox
    where ctid = any(array(select row from due union all select row from rejected))
    returning 1)
select count(*) from gone)sql"};

constexpr storage::statement prune_old_messages{
    "maintenance.prune_messages",
    "select postrider.prune_messages(make_interval(secs => $1::float8))"};

constexpr storage::statement prune_old_sessions{
    "maintenance.prune_sessions",
    "select postrider.prune_sessions(make_interval(secs => $1::float8))"};

// Of 2,000 lanes: 28.8 million a day are looked at.
constexpr int most_pages_of_lanes = 100;
constexpr storage::statement prune_old_lanes{
    "maintenance.prune_lanes",
    "select gone, last from postrider.prune_lanes($1::bigint, make_interval(secs => $2::float8))"};

constexpr storage::statement prune_orphans{
    "maintenance.prune_orphans",
    "select postrider.prune_orphans(make_interval(secs => $1::float8))"};

constexpr storage::statement prune_old_approvals{
    "maintenance.prune_approvals",
    "select postrider.prune_approvals(make_interval(secs => $1::float8))"};

constexpr storage::statement prune_audit_contents{
    "maintenance.prune_audit_content",
    "select postrider.prune_audit_content(make_interval(secs => $1::float8))"};

constexpr storage::statement prune_request_keys{
    "maintenance.prune_request_keys", "select postrider.prune_request_keys()"};

constexpr storage::statement prune_task_calls{
    "maintenance.prune_task_calls", "select postrider.prune_task_calls()"};

constexpr storage::statement prune_mcp_sessions{
    "maintenance.prune_mcp_sessions", "select postrider.prune_mcp_sessions()"};

constexpr storage::statement prune_console_access{
    "maintenance.prune_console", "select postrider.prune_console()"};

constexpr storage::statement prune_old_memories{
    "maintenance.prune_memories", "select postrider.prune_memories()"};

constexpr storage::statement fail_left_documents{
    "maintenance.fail_left_documents", "select postrider.fail_left_documents()"};

constexpr storage::statement sweep_removed_documents{
    "maintenance.sweep_documents", "select postrider.sweep_documents()"};

constexpr storage::statement prune_flow_data{
    "maintenance.prune_flow_data", "select postrider.prune_flow_data()"};

constexpr storage::statement prune_flow_files{
    "maintenance.prune_flow_files", "select postrider.prune_flow_files()"};
constexpr storage::statement prune_spam_rows{
    "maintenance.prune_spam", "select postrider.prune_spam()"};

constexpr storage::statement prune_tool_catalogs{
    "maintenance.prune_tool_catalogs", "select postrider.prune_tool_catalogs()"};

constexpr storage::statement prune_refused_tools{
    "maintenance.prune_refused_tools", "select postrider.prune_refused_tools()"};

constexpr storage::statement prune_old_budgets{
    "maintenance.prune_budgets", "select postrider.prune_budgets()"};

constexpr storage::statement prune_kept{
    "maintenance.prune_kept", "select postrider.prune_kept(make_interval(secs => $1::float8))"};

constexpr storage::statement turn_partition{
    "maintenance.turn_partition",
    "select postrider.turn_partition(make_interval(secs => $1::float8))"};

constexpr storage::statement prune_partitions{
    "maintenance.prune_partitions",
    "select done, part, kept, extract(epoch from held) * 1000000 "
    "from postrider.prune_partitions(make_interval(secs => $1::float8)) where done is not null"};

std::int64_t seconds(base::duration d) {
    return std::chrono::duration_cast<std::chrono::seconds>(d).count();
}

std::vector<storage::param> age(base::duration d) {
    return {seconds(d)};
}

// The statement says how many rows it deleted, and is repeated until there are none.
base::awaitable<base::result<std::int64_t>> until_none(
    storage::database& db, storage::statement statement, std::vector<storage::param> params
) {
    std::int64_t total = 0;
    while (true) {
        auto gone = co_await db.query(statement, params, deadline);
        if (!gone) co_return gone.error();
        auto const count = gone->front().int64(0);
        total += count;
        if (count == 0) co_return total;
    }
}

// What prune_partitions did: "" = there was nothing to do.
struct act {
    std::string done;
    std::int64_t part = 0;
    std::int64_t kept = 0;
    std::chrono::microseconds held{0};
};

base::awaitable<base::result<act>> next_act(storage::database& db, base::duration keep) {
    auto work = [keep](storage::transaction& tx) {
        act did;
        tx.script(look_for_long);
        auto rows = tx.query(prune_partitions, age(keep));
        if (rows.empty()) return did;
        auto const& row = rows.front();
        did.done = row.text(0);
        did.part = row.int64(1);
        did.kept = row.optional_int64(2).value_or(0);
        if (!row.null(3))
            did.held = std::chrono::microseconds{static_cast<std::int64_t>(std::stod(row.text(3)))};
        return did;
    };
    co_return co_await storage::transact(db, prune_partitions.name, std::move(work), longest_look);
}

base::awaitable<void> tidy(
    std::string_view rows, base::awaitable<base::result<std::int64_t>> round
) {
    // Something that is missing in the database stops its own step alone.
    base::result<std::int64_t> pruned = 0;
    try {
        pruned = co_await std::move(round);
    } catch (std::exception const& failure) {
        pruned = base::error(base::errc::internal, failure.what());
    }
    if (!pruned)
        base::log::warn("maintenance.failed", {{"what", rows}, {"error", pruned.error()}});
    else if (*pruned > 0)
        base::log::info("maintenance.pruned", {{"what", rows}, {"count", *pruned}});
}

} // namespace

base::awaitable<base::result<std::int64_t>> prune_inbox(storage::database& db, retention keep) {
    std::vector<storage::param> ages{seconds(keep.inbox), seconds(keep.rejected)};
    co_return co_await until_none(db, prune, std::move(ages));
}

base::awaitable<base::result<std::int64_t>> prune_lanes(
    storage::database& db, retention keep, std::int64_t& position
) {
    std::int64_t total = 0;
    for (int page = 0; page < most_pages_of_lanes; ++page) {
        std::vector<storage::param> arguments{position, seconds(keep.jobs)};
        auto pruned = co_await db.query(prune_old_lanes, std::move(arguments), deadline);
        if (!pruned) co_return pruned.error();
        total += pruned->front().int64(0);
        position = pruned->front().int64(1);
        if (position == 0) break;
    }
    co_return total;
}

base::awaitable<base::result<std::int64_t>> prune_jobs(storage::database& db, retention keep) {
    auto turned = co_await db.query(turn_partition, age(keep.jobs), deadline);
    if (!turned) co_return turned.error();
    std::int64_t dropped = 0;
    int busy = 0;
    while (true) {
        auto did = co_await next_act(db, keep.jobs);
        if (!did) co_return did.error();
        if (did->done.empty()) co_return dropped;
        if (did->done == "dropped") {
            ++dropped;
            base::log::info(
                "maintenance.partition_dropped",
                {{"partition", did->part}, {"kept", did->kept}, {"locked", did->held}}
            );
        } else if (did->done == "crowded") {
            base::log::warn("maintenance.partition_crowded", {{"partition", did->part}});
        } else if (did->done == "busy") {
            if (++busy == tries_while_busy) {
                base::log::warn("maintenance.partition_busy", {{"partition", did->part}});
                co_return dropped;
            }
            co_await base::sleep_for(busy_pause);
        }
    }
}

retention retention_of(config const& settings) {
    return {
        settings.keep_inbox, settings.keep_rejected, settings.keep_jobs, settings.keep_messages};
}

base::awaitable<void> tidy_once(
    storage::database& db, retention keep, std::int64_t& lane_position
) {
    co_await tidy("inbox", prune_inbox(db, keep));
    if (keep.messages > base::duration::zero()) {
        auto const messages = age(keep.messages);
        co_await tidy("messages", until_none(db, prune_old_messages, messages));
        co_await tidy("sessions", until_none(db, prune_old_sessions, messages));
        co_await tidy("approvals", until_none(db, prune_old_approvals, messages));
        co_await tidy("audit_content", until_none(db, prune_audit_contents, messages));
    }
    co_await tidy("request_keys", until_none(db, prune_request_keys, {}));
    co_await tidy("task_calls", until_none(db, prune_task_calls, {}));
    co_await tidy("mcp_sessions", until_none(db, prune_mcp_sessions, {}));
    co_await tidy("console", until_none(db, prune_console_access, {}));
    co_await tidy("flow_data", until_none(db, prune_flow_data, {}));
    co_await tidy("flow_files", until_none(db, prune_flow_files, {}));
    co_await tidy("memories", until_none(db, prune_old_memories, {}));
    co_await tidy("documents", until_none(db, fail_left_documents, {}));
    co_await tidy("removed_documents", until_none(db, sweep_removed_documents, {}));
    co_await tidy("spam", until_none(db, prune_spam_rows, {}));
    co_await tidy("budgets", until_none(db, prune_old_budgets, {}));
    co_await tidy("partitions", prune_jobs(db, keep));
    co_await tidy("kept_jobs", until_none(db, prune_kept, age(keep.jobs)));
    co_await tidy("tool_catalogs", until_none(db, prune_tool_catalogs, {}));
    co_await tidy("refused_tools", until_none(db, prune_refused_tools, {}));
    co_await tidy("orphans", until_none(db, prune_orphans, age(keep.jobs)));
    co_await tidy("lanes", prune_lanes(db, keep, lane_position));
}

base::awaitable<void> keep_tidy(storage::database& db, retention keep) {
    std::int64_t lane_position = 0;
    while (true) {
        co_await tidy_once(db, keep, lane_position);
        co_await base::sleep_for(maintenance_pause);
    }
}

} // namespace postrider::server
