#include "storage/stores/budgets.hpp"

#include "base/json/row.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace postrider::storage {

namespace {

namespace json = boost::json;

constexpr statement reserve_budgets{
    "budgets.reserve",
    "select empty_scope, empty_subject, kind, most, spent, opens from postrider.budget_reserve("
    "$1::bigint, $2, $3::int, $4::jsonb, $5::bigint, $6::bigint, make_interval(secs => "
    "$7::float8))"};

// The deletion sees to it that nothing is settled twice, and no number, however wrong, that the next
// settlements overflow. The rows of days are locked in their order,
// as by budget_reserve; a join on several columns of a CTE would be planned as one row.
constexpr statement settle_budgets{
    "settle_budgets",
    R"(
with w as materialized (
    select * from json_to_recordset($1::json)
        as t(i int, job_id bigint, run text, number int, calls bigint, tokens bigint, cost_micro bigint)
), gone as (
    delete from postrider.budget_hold h using w
    where h.job_id = any(array(select job_id from w)) and h.job_id + 0 = w.job_id
      and h.run || ' ' || h.number = w.run || ' ' || w.number
    returning h.day, h.scope, h.subject, w.calls, w.tokens, w.cost_micro
), paid as materialized (
    select day, scope, subject, sum(calls) as calls, sum(tokens) as tokens, sum(cost_micro) as cost_micro
    from gone group by day, scope, subject order by day, scope, subject
), locked as materialized (
    select d.name, p.* from paid p cross join lateral (
        select d.day || ' ' || d.scope || ' ' || d.subject as name from postrider.budget_day d
        where d.day = p.day and d.scope = p.scope and d.subject = p.subject for update) d
)
update postrider.budget_day d
set calls = postrider.as_bigint(d.calls + l.calls), tokens = postrider.as_bigint(d.tokens + l.tokens),
    cost_micro = postrider.as_bigint(d.cost_micro + l.cost_micro)
from locked l
where d.day = any(array(select day from locked)) and d.scope = any(array(select scope from locked))
  and d.subject = any(array(select subject from locked))
  and d.day || ' ' || d.scope || ' ' || d.subject = l.name
)",
    66};

constexpr statement page_of_budgets{"budgets.list", R"(
select b.scope, b.subject, b.calls, b.tokens, (b.cost * 1000000)::bigint, b.calls_reserved, b.tokens_reserved,
       (b.cost_reserved * 1000000)::bigint, to_char(b.opens_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
from postrider.budgets_today b
where ($1 = '' or b.scope = $1) and (b.scope, b.subject) > ($2, $3)
order by b.scope, b.subject limit $4::bigint
)"};

std::string limits_of(std::vector<budget> const& budgets) {
    json::array limits;
    for (auto const& budget : budgets)
        limits.push_back(json::object{
            {"scope", budget.scope},
            {"subject", budget.subject},
            {"calls", budget.most.calls},
            {"tokens", budget.most.tokens},
            {"cost_micro", budget.most.cost_micro}});
    return json::serialize(limits);
}

} // namespace

std::optional<empty_budget> reserve(
    transaction& tx,
    reservation_key const& key,
    std::vector<budget> const& budgets,
    spending const& estimate,
    std::chrono::seconds lasts
) {
    std::int64_t const seconds = lasts.count();
    auto const refused = tx.query(
        reserve_budgets,
        {key.job,
         key.run,
         key.number,
         limits_of(budgets),
         estimate.tokens,
         estimate.cost_micro,
         seconds}
    );
    if (refused.empty()) return std::nullopt;
    auto const& row = refused.front();
    return empty_budget{
        .scope = row.text(0),
        .subject = row.text(1),
        .kind = row.text(2),
        .most = row.int64(3),
        .spent = row.boolean(4),
        .opens = row.text(5)};
}

write settle(reservation_key const& key, spending const& paid) {
    base::json_row row{
        {"job_id", base::raw(key.job)},
        {"run", key.run},
        {"number", key.number},
        {"calls", paid.calls},
        {"tokens", paid.tokens},
        {"cost_micro", paid.cost_micro}};
    return {&settle_budgets, std::move(row).text()};
}

void settle(transaction& tx, reservation_key const& key, spending const& paid) {
    tx.query(settle_budgets, {"[" + settle(key, paid).row + "]"});
}

std::vector<spent_budget> list_budgets(
    transaction& tx,
    std::string const& scope,
    std::pair<std::string, std::string> const& after,
    int limit
) {
    std::vector<spent_budget> budgets;
    for (auto const& row : tx.query(page_of_budgets, {scope, after.first, after.second, limit}))
        budgets.push_back(
            {row.text(0),
             row.text(1),
             {row.int64(2), row.int64(3), row.int64(4)},
             {row.int64(5), row.int64(6), row.int64(7)},
             row.text(8)}
        );
    return budgets;
}

} // namespace postrider::storage
