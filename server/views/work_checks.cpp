// The nodes and the work.
#include "base/clock.hpp"
#include "server/views/database_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace postrider::server {

namespace {

// As the engine's silence: after it others take the node's lanes.
constexpr std::int64_t silent_after = 8'000; // ms
constexpr std::int64_t slow_start = 5;       // s that a ready lane waits
constexpr std::int64_t stuck_start = 60;

constexpr storage::statement all_nodes{
    "check.all_nodes",
    "select host || '/' || pid, version, (extract(epoch from postrider.now() - beat_at) * "
    "1000)::bigint, busy, slots "
    "from postrider.node order by node_id"};

constexpr storage::statement waiting_work{
    "check.waiting_work",
    "select lanes_running, lanes_waiting, coalesce(extract(epoch from oldest_ready), 0)::bigint "
    "from postrider.queue_health"};

// What is paused, why, the command that ends it and the name that it takes.
constexpr storage::statement paused{"check.paused", R"(
select scope, coalesce(reason, ''),
       case when scope = 'all' then 'resume' else 'bot resume' end,
       case when scope <> 'all' then split_part(scope, ':', 2) end
from postrider.pause
union all
select 'lane of ' || postrider.lane_name(lane_key), '', 'lanes resume', lane_key from postrider.lane where paused_at is not null limit 20)"};

constexpr storage::statement check_stopped_bots{
    "check.stopped_bots",
    "select name, coalesce(stopped_reason, '') from postrider.bot where stopped_at is not null "
    "order by name"};

// A stopped bot is told above, in its own words.
constexpr storage::statement check_open_breakers{"check.open_breakers", R"(
select name, breaker, coalesce(reason, ''), coalesce(extract(epoch from open_until - postrider.now()), 0)::bigint
from postrider.bucket
where breaker <> 'closed' and open_until <> 'infinity' and name not like 'bot:%' order by name limit 20)"};

constexpr storage::statement check_waiting_approvals{"check.waiting_approvals", R"(
select count(*) from (select from postrider.approval where state = 'waiting' and expires_at > postrider.now() limit 1000) x)"};

constexpr storage::statement changed_tools{"check.changed_tools", R"(
select server, count(*) from postrider.mcp_tool where offered is not null group by server order by server)"};

// Of the newest numbers only: a history of millions is not read through. A tool that failed is told
// to its model; what was not sent is told to nobody. What a cancelled job did not come to send nobody misses.
constexpr storage::statement recent_failures{"check.recent_failures", R"(
with newest as materialized (select last_value - 200000 as number from postrider.number)
select (select count(*) from (select from postrider.job
                              where failed and job_id > (select number from newest) limit 1000) x),
       (select count(*) from (select from postrider.effect
                              where doubted and position('~' in key) = 0 and job_id > (select number from newest) limit 1000) x),
       (select count(*) from postrider.effect e
        where job_id > (select number from newest) and state = 'failed' and kind like '%.send'
          and (exists (select from postrider.step s where s.job_id = e.job_id and s.key = e.key)
               or not exists (select from postrider.job j where j.job_id = e.job_id and j.state = 'cancelled'))),
       (select count(*) from postrider.inbox
        where disposition = 'rejected' and received_at > postrider.now() - interval '1 day'))"};

constexpr storage::statement degraded_today{"check.degraded_today", R"(
select coalesce(degraded_reason, 'unknown'), count(*)
from (select degraded_reason from postrider.job
      where degraded and degraded_reason is distinct from 'unread_message' and job_id > (select last_value - 200000 from postrider.number)
        and finished_at > postrider.now() - interval '1 day' order by job_id desc limit 10000) x
group by 1 order by 2 desc, 1)"};

finding breaker(storage::row const& row) {
    bool const is_open = row.text(1) == "open";
    auto const seconds = row.int64(3);
    std::string state = is_open ? "the next turn tries it" : "its breaker lets a turn try it now";
    if (seconds > 0)
        state = fmt::format("its breaker is {} for {} s more", is_open ? "open" : "tried", seconds);
    return {
        row.text(0),
        verdict::warn,
        fmt::format("{}: {}; turns wait for it and try it by themselves", state, row.text(2)),
        "postrider check --online"};
}

finding alive(std::vector<std::string> const& names, std::int64_t busy, std::int64_t slots) {
    if (names.empty()) return {"nodes", verdict::fail, "no server runs", "postrider serve"};
    std::string list;
    for (auto const& name : names) list += " " + name;
    finding capacity{
        "nodes",
        verdict::ok,
        fmt::format("{} alive, {} of {} slots busy:{}", names.size(), busy, slots, list)};
    if (busy < slots) return capacity;
    capacity.verdict = verdict::warn;
    capacity.detail += "; engine.slots gives more, and so does another server on this database";
    capacity.advice = "postrider jobs list --state running";
    return capacity;
}

finding counted(std::string subject, std::int64_t count, std::string_view of, std::string advice) {
    auto detail = fmt::format("{} {}", count, of);
    if (count == 0) return {std::move(subject), verdict::ok, std::move(detail)};
    return {std::move(subject), verdict::warn, std::move(detail), std::move(advice)};
}

finding degraded_finding(storage::rows const& by_reason) {
    std::int64_t total = 0;
    std::string reasons;
    for (auto const& row : by_reason) {
        total += row.int64(1);
        reasons += fmt::format("{}{} {}", reasons.empty() ? ": " : ", ", row.int64(1), row.text(0));
    }
    return counted(
        "degraded jobs",
        total,
        "jobs completed within a day without the requested result" + reasons,
        "postrider jobs list --state degraded"
    );
}

finding queue_finding(storage::row const& work) {
    auto const oldest = work.int64(2);
    finding waiting{
        "queue",
        verdict::ok,
        fmt::format(
            "{} lanes run, {} wait, the oldest that is ready for {}",
            work.int64(0),
            work.int64(1),
            base::to_text(std::chrono::seconds{oldest})
        )};
    if (oldest < slow_start) return waiting;
    waiting.verdict = oldest < stuck_start ? verdict::warn : verdict::fail;
    waiting.advice = "postrider jobs list --state running";
    return waiting;
}

} // namespace

findings look_at_nodes(storage::transaction& tx) {
    std::vector<std::string> names, silent;
    std::set<std::string> versions;
    std::int64_t busy = 0, slots = 0;
    for (auto const& node : tx.query(all_nodes)) {
        if (node.int64(2) >= silent_after) {
            silent.push_back(node.text(0));
            continue;
        }
        names.push_back(node.text(0));
        versions.insert(node.text(1));
        busy += node.int64(3);
        slots += node.int64(4);
    }
    findings result{alive(names, busy, slots)};
    for (auto const& name : silent)
        result.push_back(
            {"node " + name,
             verdict::warn,
             "has fallen silent; the next node that beats takes its lanes"}
        );
    if (versions.size() > 1)
        result.push_back(
            {"versions",
             verdict::warn,
             fmt::format(
                 "{} side by side, from {} to {}; neighbouring versions get along until the "
                 "roll-out is finished",
                 versions.size(),
                 *versions.begin(),
                 *versions.rbegin()
             )}
        );
    return result;
}

findings look_at_work(storage::transaction& tx) {
    findings result{queue_finding(tx.query(waiting_work).front())};
    for (auto const& row : tx.query(paused))
        result.push_back(
            {"paused",
             verdict::warn,
             row.text(0) + (row.text(1).empty() ? "" : ": " + row.text(1)),
             "postrider " + row.text(2) +
                 (row.null(3) ? std::string() : " " + in_shell(row.text(3)))}
        );
    for (auto const& row : tx.query(check_stopped_bots))
        result.push_back(
            {"bot " + row.text(0),
             verdict::fail,
             "stopped: " + row.text(1) +
                 "; Telegram refused its token; polling resumes by itself once the token works"}
        );
    for (auto const& row : tx.query(check_open_breakers)) result.push_back(breaker(row));
    for (auto const& row : tx.query(changed_tools))
        result.push_back(
            {"mcp " + row.text(0),
             verdict::warn,
             row.text(1) + " of its tools have changed; no agent has them until you agree",
             "postrider mcp accept"} // shows them; with a name it would agree unseen
        );
    result.push_back(counted(
        "approvals",
        tx.query(check_waiting_approvals).front().int64(0),
        "calls wait for a person's approval",
        "postrider approvals list"
    ));
    auto const failed = tx.query(recent_failures).front();
    result.push_back(counted(
        "dead letters", failed.int64(0), "jobs failed lately", "postrider jobs list --state failed"
    ));
    result.push_back(degraded_finding(tx.query(degraded_today)));
    result.push_back(
        counted("effects", failed.int64(1), "in doubt lately", "postrider effects list")
    );
    result.push_back(counted(
        "deliveries",
        failed.int64(2),
        "failed lately",
        in_psql("select e.* from effect e join job j using (job_id) where e.state = 'failed' and "
                "e.kind like '%.send' and j.state <> 'cancelled' order by job_id desc limit 50")
    ));
    result.push_back(counted(
        "updates",
        failed.int64(3),
        "rejected within a day",
        in_psql("select * from rejected_updates limit 50")
    ));
    return result;
}

} // namespace postrider::server
