#include "storage/stores/usage.hpp"

#include "base/names.hpp"

namespace postrider::storage {

namespace {

constexpr base::names<usage_key, 5> keys{{
    {usage_key::day, "day"},
    {usage_key::user, "user"},
    {usage_key::chat, "chat"},
    {usage_key::agent, "agent"},
    {usage_key::flow, "flow"},
}};

constexpr statement usage{"usage", R"(
select case $1::text when 'day' then day::text when 'user' then user_id::text
            when 'chat' then coalesce(chat_id::text, conversation) when 'agent' then agent else flow end as subject,
       sum(calls)::bigint, postrider.as_bigint(sum(tokens_in)), postrider.as_bigint(sum(tokens_cached)),
       postrider.as_bigint(sum(tokens_out)), postrider.as_bigint(coalesce(sum(cost), 0) * 1000000)
from postrider.usage
where day > postrider.day_of(postrider.now()) - $2::int
group by subject
order by case $1::text when 'day' then min(day) end desc, 6 desc, 3 desc, subject
limit $3::int)"};

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

usage_report read_usage(transaction& tx, usage_key by, int days) {
    usage_report report{.by = by, .days = days, .timezone = {}, .lines = {}};
    report.timezone = tx.query(calendar, {}).at(0).text(0);
    for (auto const& row : tx.query(usage, {std::string(to_string(by)), days, most_usage_lines}))
        report.lines.push_back(
            {row.optional_text(0),
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
