#include "queue/admin/job_look.hpp"

#include <algorithm>

namespace postrider::queue {

namespace {

using storage::statement;

// The instant lies some seconds back: an operation's row is stamped before its commit.
constexpr statement job_moment{"job_changes.moment", R"sql(
select s.now::text, pg_snapshot_xmin(s.now)::text, pg_snapshot_xmax(s.now)::text, n.last_value,
       postrider.iso(postrider.now() - interval '10 s')
from (select pg_current_snapshot() as now) s, postrider.number n)sql"};

// $1 a snapshot, $2 an id below all new ones, $3 from when on operations are looked at. By the age of
// its transaction a row is passed over at little cost. The rest is compared with the snapshot exactly.
constexpr statement changed_jobs{"job_changes.changed", R"sql(
select j.job_id, j.version, j.flow
from (select distinct c.job_id
      from (select n.job_id
            from (select j.job_id, j.xmin as version from postrider.job j
                  where j.job_id > $2::bigint order by j.job_id desc limit 20000) n
            where age(n.version) <= age(pg_snapshot_xmin($1::pg_snapshot)::xid)
            union all
            select f.job_id
            from (select r.lane_id, r.head from postrider.lane_run r where r.node_id is not null limit 10000) r
            cross join lateral postrider.first_live_job(r.lane_id, r.head) f
            union all
            select a.job_id
            from (select a.job_id, a.kind from postrider.audit a
                  where a.created_at >= $3::timestamptz order by a.created_at desc limit 10000) a
            where a.job_id is not null and starts_with(a.kind, 'job_')) c) c
cross join lateral (select j.job_id, j.xmin as written, j.xmin::text::bigint as version, j.input ->> 'flow' as flow
                    from postrider.job j where j.job_id = c.job_id offset 0) j
where not pg_visible_in_snapshot(postrider.full_xid(j.written, pg_current_snapshot()), $1::pg_snapshot)
order by j.job_id)sql"};

constexpr statement compared_jobs{"job_changes.compared", R"sql(
select k.job_id, j.version, j.flow
from unnest($1::bigint[], $2::bigint[]) k(job_id, version)
left join lateral (select j.xmin::text::bigint as version, j.input ->> 'flow' as flow
                   from postrider.job j where j.job_id = k.job_id offset 0) j on true
where j.version is distinct from k.version
order by k.job_id)sql"};

constexpr statement jobs_that_live{"job_changes.live", R"sql(
select j.job_id, j.version, j.state, j.error_class
from (select * from (select b.job_id
                     from (select r.lane_id, r.head from postrider.busy_lane r limit 2000) r
                     cross join lateral (select l.job_id from postrider.live_jobs(r.lane_id, r.head) l
                                         order by l.job_id limit 10) b limit 5000) b
      union
      select * from (select p.job_id from postrider.job p where p.paused_at is not null limit 2000) p
      union
      select * from (select t.job_id from postrider.timer t order by t.due_at limit 2000) t) c
cross join lateral (select j.job_id, j.xmin::text::bigint as version, j.state, j.error_class
                    from postrider.job j where j.job_id = c.job_id offset 0) j)sql"};

std::string versions_of(std::vector<job_version> const& compared) {
    std::string text = "{";
    for (auto const& job : compared)
        text += (text.size() > 1 ? "," : "") + std::to_string(job.version);
    return text + "}";
}

std::string ids_of(std::vector<job_version> const& compared) {
    std::vector<job_id> jobs;
    for (auto const& version : compared) jobs.push_back(version.job);
    return to_array(jobs);
}

void add_live(storage::transaction& tx, job_look& look) {
    for (auto const& r : tx.query(jobs_that_live))
        look.live.push_back(
            {{r.id<job_id>(0), r.int64(1)}, r.text(2), r.optional_text(3).value_or("")}
        );
}

found_job found_in(storage::row const& r) {
    return {{r.id<job_id>(0), r.int64(1)}, r.optional_text(2).value_or(""), std::nullopt};
}

void add_found(storage::transaction& tx, job_look_query const& query, job_look& look) {
    for (auto const& r : tx.query(changed_jobs, {query.since, query.above, query.operated_from}))
        look.found.push_back(found_in(r));
    if (query.compared.empty()) return;
    for (auto const& r :
         tx.query(compared_jobs, {ids_of(query.compared), versions_of(query.compared)}))
        if (r.null(1))
            look.gone.push_back(r.id<job_id>(0));
        else
            look.found.push_back(found_in(r));
    auto const by_id = [](found_job const& found) { return found.at.job; };
    std::ranges::stable_sort(look.found, {}, by_id);
    auto const repeated = std::unique(
        look.found.begin(),
        look.found.end(),
        [&](found_job const& left, found_job const& right) { return by_id(left) == by_id(right); }
    );
    look.found.erase(repeated, look.found.end());
}

void add_summaries(storage::transaction& tx, job_look& look) {
    std::vector<job_id> read;
    for (auto const& found : look.found) {
        if (read.size() == most_read_jobs) break;
        read.push_back(found.at.job);
    }
    auto summaries = summaries_of(tx, read);
    for (auto& job : summaries) {
        auto const at = std::ranges::lower_bound(
            look.found, job_id{job.id}, {}, [](found_job const& found) { return found.at.job; }
        );
        at->job = std::move(job);
    }
}

} // namespace

job_look look_at_jobs(storage::transaction& tx, job_look_query const& query) {
    auto const moments = tx.query(job_moment);
    auto const& now = moments.at(0);
    job_look look;
    look.until = now.text(0);
    look.oldest_open = now.int64(1);
    look.next = now.int64(2);
    look.newest = now.int64(3);
    look.operated_from = now.text(4);
    if (query.since.empty()) {
        add_live(tx, look);
        return look;
    }
    add_found(tx, query, look);
    add_summaries(tx, look);
    return look;
}

} // namespace postrider::queue
