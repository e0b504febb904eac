// What jobs need and is not there now: budgets, providers, bots, servers of tools.
#include "base/json/text.hpp"
#include "base/texts.hpp"
#include "base/utf8.hpp"
#include "net/http.hpp"
#include "server/views/attention_items.hpp"
#include "storage/stores/mcp_tools.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

namespace postrider::server {

namespace json = boost::json;

namespace {

constexpr double micro_in_one_cent = 10'000;
constexpr std::size_t longest_reason = 300; // bytes

// $1: [{scope, calls, tokens, cost_micro}], the limits; 0 = none of that kind.
constexpr storage::statement budgets_without_rest{"attention.budgets", R"sql(
select d.scope, d.subject, d.calls, t.calls, d.tokens, t.tokens, d.cost_micro, t.cost_micro,
       to_char(postrider.day_begins(d.day + 1) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
from jsonb_to_recordset($1::jsonb) as t(scope text, calls bigint, tokens bigint, cost_micro bigint)
join postrider.budget_day d on d.scope = t.scope and d.day = postrider.day_of(postrider.now())
where t.calls > 0 and d.calls >= t.calls or t.tokens > 0 and d.tokens >= t.tokens
   or t.cost_micro > 0 and d.cost_micro >= t.cost_micro
order by d.scope, d.subject limit $2::bigint)sql"};

// A stopped bot has an item of its own. Jobs that wait are counted up to 1,000.
constexpr storage::statement breakers_not_closed{"attention.breakers", R"sql(
select b.name, b.breaker, coalesce(b.reason, ''),
       postrider.iso(b.failed_at),
       to_char(nullif(b.open_until, 'infinity') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
       (select count(*) from (select from postrider.bucket_place w where w.resource = b.name limit 1000) x)
from postrider.bucket b
where b.breaker <> 'closed' and not (b.name like 'bot:%' and b.open_until = 'infinity')
order by b.failed_at desc nulls last, b.name limit $1::bigint)sql"};

constexpr storage::statement bots_that_stopped{"attention.stopped_bots", R"sql(
select name, coalesce(stopped_reason, ''), postrider.iso(stopped_at)
from postrider.bot where stopped_at is not null order by stopped_at desc, name limit $1::bigint)sql"};

std::string in_cents(std::int64_t micro) {
    return fmt::format("{:.2f}", static_cast<double>(micro) / micro_in_one_cent);
}

// "calls 100 of 100, cost 31.20 of 30.00 cents"
std::string spent_of(storage::row const& row) {
    std::vector<std::string> parts;
    if (row.int64(3) > 0)
        parts.push_back(fmt::format("calls {} of {}", row.int64(2), row.int64(3)));
    if (row.int64(5) > 0)
        parts.push_back(fmt::format("tokens {} of {}", row.int64(4), row.int64(5)));
    if (row.int64(7) > 0)
        parts.push_back(
            fmt::format("cost {} of {} cents", in_cents(row.int64(6)), in_cents(row.int64(7)))
        );
    return base::joined(parts, ", ");
}

std::string subject_of(storage::row const& row) {
    auto const scope = row.text(0);
    return scope == "total" ? "The budget of all"
                            : fmt::format("The budget of {} {}", scope, row.text(1));
}

} // namespace

attention_items spent_budgets(
    storage::transaction& tx, std::map<std::string, storage::spending, std::less<>> const& limits
) {
    json::array asked;
    for (auto const& [scope, most] : limits)
        asked.push_back(json::object{
            {"scope", scope},
            {"calls", most.calls},
            {"tokens", most.tokens},
            {"cost_micro", most.cost_micro}});
    attention_items items;
    for (auto const& row :
         tx.query(budgets_without_rest, {base::json_text(asked), most_attention_items}))
        items.push_back(
            {.id = fmt::format("{}:{}", row.text(0), row.text(1)),
             .title = subject_of(row) + " is spent",
             .detail = fmt::format("{}. It opens again at {}", spent_of(row), row.text(8)),
             .link_to = {{"scope", row.text(0)}, {"subject", row.text(1)}}}
        );
    return items;
}

attention_items open_breakers(storage::transaction& tx) {
    attention_items items;
    for (auto const& row : tx.query(breakers_not_closed, {most_attention_items})) {
        auto const until = row.optional_text(4);
        items.push_back(
            {.id = row.text(0),
             .since = row.optional_text(3).value_or(""),
             .title = fmt::format("{} fails", row.text(0)),
             .detail = fmt::format(
                 "{}. Waiting jobs: {}. {}",
                 base::shortened(row.text(2), longest_reason),
                 row.int64(5),
                 until ? fmt::format("The next try is at {}", *until)
                       : std::string("No try is planned")
             ),
             .link_to = {{"limit", row.text(0)}}}
        );
    }
    return items;
}

attention_items stopped_bots(storage::transaction& tx) {
    attention_items items;
    for (auto const& row : tx.query(bots_that_stopped, {most_attention_items}))
        items.push_back(
            {.id = row.text(0),
             .since = row.text(2),
             .title = fmt::format("Bot {} is stopped", row.text(0)),
             .detail = fmt::format(
                 "{}. Telegram refused its token. The bot resumes by itself once the token works",
                 base::shortened(row.text(1), longest_reason)
             ),
             .link_to = {{"bot", row.text(0)}}}
        );
    return items;
}

attention_items changed_mcp_tools(storage::transaction& tx) {
    attention_items items;
    for (auto const& tool : storage::waiting_mcp_tools(tx)) {
        if (std::ssize(items) >= most_attention_items) break;
        auto const path =
            fmt::format("/api/v1/mcp-servers/{}/accept", net::percent_encoded(tool.server));
        items.push_back(
            {.id = tool.server + "/" + tool.tool,
             .since = tool.offered_at,
             .title = fmt::format("Server {} has changed its tool {}", tool.server, tool.tool),
             .detail = "No agent gets the tool until you accept its new definition",
             .link_to = {{"mcp_server", tool.server}, {"tool", tool.tool}},
             .actions =
                 {{"accept",
                   path,
                   fmt::format(
                       "Accepts the new definition. Agents get {} from the next turn on.", tool.tool
                   ),
                   {{"tool", tool.tool}, {"digest", tool.digest}}}}}
        );
    }
    return items;
}

attention_items failing_mcp_servers(std::vector<failing_mcp_server> const& servers) {
    attention_items items;
    for (auto const& server : servers)
        items.push_back(
            {.id = server.name,
             .since = server.since,
             .title = fmt::format("Server {} of tools does not answer", server.name),
             .detail =
                 fmt::format("{}. Agents continue without its tools", to_string(server.failure)),
             .link_to = {{"mcp_server", server.name}}}
        );
    return items;
}

} // namespace postrider::server
