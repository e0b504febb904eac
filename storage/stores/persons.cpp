#include "storage/stores/persons.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

namespace postrider::storage {

namespace {

// In the order of the persons, so that two nodes never wait for each other in a circle.
constexpr statement set{
    "set_person_timezone",
    R"(
insert into postrider.person as p (user_id, timezone, changed_at)
select distinct on (t.user_id) t.user_id, t.timezone, postrider.now()
from (select x.*, row_number() over () as place
      from json_to_recordset($1::json) as x(i int, user_id bigint, timezone text)) t
order by t.user_id, t.place desc
on conflict (user_id) do update set timezone = excluded.timezone, changed_at = excluded.changed_at
where p.timezone <> excluded.timezone
)",
    65};

constexpr statement select_person{
    "read_person_timezone",
    R"(
select t.i, p.timezone
from json_to_recordset($1::json) as t(i int, user_id bigint)
join postrider.person p on p.user_id = t.user_id
)",
    20};

} // namespace

write set_timezone(user_id user, std::string_view timezone) {
    base::json_row row{{"user_id", base::raw(user)}, {"timezone", timezone}};
    return {&set, std::move(row).text()};
}

base::awaitable<base::result<std::optional<std::string>>> read_timezone(
    batcher& reads, user_id user, base::duration deadline
) {
    write look{&select_person, base::json_row{{"user_id", base::raw(user)}}.text()};
    auto const found = co_await query(reads, std::move(look), deadline);
    if (!found) co_return found.error();
    std::optional<std::string> timezone;
    if (!found->empty()) timezone = found->front().text(1);
    co_return timezone;
}

} // namespace postrider::storage
