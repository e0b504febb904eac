#include "storage/stores/usage.hpp"

#include "base/names.hpp"

namespace postrider::storage {

namespace {

constexpr base::names<usage_key, 6> keys{{
    {usage_key::day, "day"},
    {usage_key::user, "user"},
    {usage_key::chat, "chat"},
    {usage_key::agent, "agent"},
    {usage_key::flow, "flow"},
    {usage_key::model, "model"},
}};

// As the view postrider.usage counts, with the models beside: $1 and $2 are keys, the second one may be
// null. Results of steps are only opened where models are asked for, and jobs where one of their members is: by day alone,
// a million calls are read in a quarter of the time. Each day is read for itself.
constexpr statement usage{"usage", R"(
select x.subject, sum(x.calls)::bigint, postrider.as_bigint(coalesce(sum(x.tokens_in), 0)),
       postrider.as_bigint(coalesce(sum(x.tokens_cached), 0)), postrider.as_bigint(coalesce(sum(x.tokens_out), 0)), postrider.as_bigint(coalesce(sum(x.cost_micro), 0)), x.second
from (select s::date as day
      from (select postrider.day_of(min(ended_at)) as first from postrider.step where usage is not null having min(ended_at) is not null) f
      cross join lateral generate_series(greatest(f.first, postrider.day_of(postrider.now()) - $3::int + 1)::timestamp,
                                         postrider.day_of(postrider.now())::timestamp, interval '1 day') s) d
cross join lateral (select postrider.day_begins(d.day) as since, postrider.day_begins(d.day + 1) as until_at offset 0) t
cross join lateral (
    select k.subject, k.second, g.calls, g.tokens_in, g.tokens_cached, g.tokens_out, g.cost_micro
    from (select case when 'user' in ($1::text, $2::text) then nullif(postrider.number_in(j.input, 'user'), 0)::text end as user_id,
                 case when 'chat' in ($1::text, $2::text)
                      then coalesce(postrider.number_in(j.input, 'chat')::text, j.input ->> 'conversation') end as chat,
                 case when 'agent' in ($1::text, $2::text) then j.input ->> 'agent' end as agent,
                 case when 'flow' in ($1::text, $2::text) then j.input ->> 'flow' end as flow, p.model,
                 sum(p.calls) as calls, sum(p.tokens_in) as tokens_in, sum(p.tokens_cached) as tokens_cached,
                 sum(p.tokens_out) as tokens_out, sum(p.cost_micro) as cost_micro
          from (select s.job_id, case when 'model' in ($1::text, $2::text) then s.result ->> 'model' end as model, count(*) as calls,
                       sum((s.usage ->> 'tokens_in')::bigint) as tokens_in, sum((s.usage ->> 'tokens_cached')::bigint) as tokens_cached,
                       sum((s.usage ->> 'tokens_out')::bigint) as tokens_out, sum((s.usage ->> 'cost_micro')::bigint) as cost_micro
                from postrider.step s
                where s.usage is not null and s.ended_at >= t.since and s.ended_at < t.until_at
                group by 1, 2) p
          left join lateral (select j.input from postrider.job j
                             where j.job_id = p.job_id and array['user', 'chat', 'agent', 'flow'] && array[$1::text, $2::text]
                             offset 0) j on true
          group by 1, 2, 3, 4, 5) g
    cross join lateral (
        select max(v.value) filter (where v.key = $1::text) as subject, max(v.value) filter (where v.key = $2::text) as second
        from (values ('day', d.day::text), ('user', g.user_id), ('chat', g.chat), ('agent', g.agent), ('flow', g.flow),
                     ('model', g.model)) as v(key, value)) k) x
group by x.subject, x.second
order by case when $1::text = 'day' then x.subject when $2::text = 'day' then x.second end desc, 6 desc, 3 desc, x.subject, x.second
limit $4::int)"};

constexpr statement calendar{"usage.calendar", "select timezone from postrider.calendar"};

constexpr statement keep_calendar{
    "usage.keep_calendar", "update postrider.calendar set timezone = $1 where timezone <> $1"};

} // namespace

std::string_view to_string(usage_key key) noexcept {
    return base::name_of(keys, key);
}

std::optional<usage_key> usage_key_from_string(std::string_view name) noexcept {
    return base::named(keys, name);
}

std::vector<std::string> usage_keys() {
    std::vector<std::string> names;
    for (auto const& [key, name] : keys) names.emplace_back(name);
    return names;
}

usage_report read_usage(transaction& tx, usage_key by, int days, std::optional<usage_key> then_by) {
    usage_report report{.by = by, .then_by = then_by, .days = days, .timezone = {}, .lines = {}};
    report.timezone = tx.query(calendar, {}).at(0).text(0);
    param const second = then_by ? param(std::string(to_string(*then_by))) : param(std::nullopt);
    for (auto const& row :
         tx.query(usage, {std::string(to_string(by)), second, days, most_usage_lines}))
        report.lines.push_back(
            {row.optional_text(0),
             row.optional_text(6),
             row.int64(1),
             row.int64(2),
             row.int64(3),
             row.int64(4),
             row.int64(5)}
        );
    return report;
}

void keep_timezone(transaction& tx, std::string const& zone) {
    tx.query(keep_calendar, {zone});
}

} // namespace postrider::storage
