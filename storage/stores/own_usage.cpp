#include "storage/stores/own_usage.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

#include <algorithm>

namespace postrider::storage {

namespace {

constexpr statement read_turns{
    "own_usage",
    R"(
with w as materialized (
    select t.*, postrider.day_begins(postrider.day_of(postrider.now())) as since
    from json_to_recordset($1::json) as t(i int, lane_id bigint, user_id bigint, turns int)
)
select w.i, u.calls, u.tokens_in, u.tokens_out, u.cost_micro,
       to_char(postrider.day_of(postrider.now()) + 1, 'YYYY-MM-DD') || ' 00:00 ' || c.timezone,
       (select count(*)
        from (select j.state, j.input from postrider.job j where j.lane_id = w.lane_id order by j.job_id desc limit w.turns) j
        where j.state = 'running' and postrider.number_in(j.input, 'user') = w.user_id and not j.input ? 'command')
from w
cross join postrider.calendar c
cross join lateral (
    select count(*) as calls, postrider.as_bigint(coalesce(sum((s.usage ->> 'tokens_in')::bigint), 0)) as tokens_in,
           postrider.as_bigint(coalesce(sum((s.usage ->> 'tokens_out')::bigint), 0)) as tokens_out,
           postrider.as_bigint(coalesce(sum((s.usage ->> 'cost_micro')::bigint), 0)) as cost_micro
    from (select j.job_id, j.input from postrider.job j where j.lane_id = w.lane_id order by j.job_id desc limit w.turns) j
    cross join lateral (select s.usage from postrider.step s
                        where s.job_id = j.job_id and s.usage is not null and s.ended_at >= w.since offset 0) s
    where postrider.number_in(j.input, 'user') = w.user_id) u
)",
    30};

// One that nobody has drawn on today has no row.
constexpr statement read_budgets{
    "own_budgets",
    R"(
select t.i, t.place, coalesce(b.calls, 0), coalesce(b.tokens, 0), coalesce(b.cost_micro, 0)
from json_to_recordset($1::json) as t(i int, place int, scope text, subject text)
left join lateral (
    select d.calls + d.calls_reserved as calls, postrider.as_bigint(d.tokens::numeric + d.tokens_reserved) as tokens,
           postrider.as_bigint((d.cost + d.cost_reserved) * 1000000) as cost_micro
    from postrider.budgets_today d where d.scope = t.scope and d.subject = t.subject offset 0) b on true
)",
    31};

} // namespace

base::awaitable<base::result<own_usage>> read_own_usage(
    batcher& reads, lane_id lane, user_id user, std::vector<budget> budgets, base::duration deadline
) {
    std::vector<write> looks;
    base::json_row turns{
        {"lane_id", base::raw(lane)}, {"user_id", base::raw(user)}, {"turns", most_own_turns}};
    looks.push_back({&read_turns, std::move(turns).text()});
    own_usage usage;
    for (std::size_t place = 0; place < budgets.size(); ++place) {
        auto const& budget = budgets[place];
        base::json_row row{{"place", place}, {"scope", budget.scope}, {"subject", budget.subject}};
        looks.push_back({&read_budgets, std::move(row).text()});
        usage.budgets.push_back({budget, {}});
    }
    auto const usage_rows = co_await query(reads, std::move(looks), deadline);
    if (!usage_rows) co_return usage_rows.error();
    auto const& own = usage_rows->at(0).at(0);
    usage.calls = own.int64(1);
    usage.tokens_in = own.int64(2);
    usage.tokens_out = own.int64(3);
    usage.cost_micro = own.int64(4);
    usage.opens = own.text(5);
    usage.running = own.int64(6);
    // All rows of a statement stand with the first of its writes.
    for (std::size_t i = 1; i < usage_rows->size(); ++i)
        for (auto const& row : (*usage_rows)[i])
            usage.budgets.at(static_cast<std::size_t>(row.int64(1))).used = {
                row.int64(2), row.int64(3), row.int64(4)};
    co_return usage;
}

} // namespace postrider::storage
