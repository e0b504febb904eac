#include "storage/stores/persons.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

namespace postrider::storage {

namespace {

// In the order of the persons, so that two nodes never wait for each other in a circle.
constexpr statement set_zone{
    "set_person_timezone",
    R"(
insert into postrider.person as p (user_id, timezone, changed_at)
select distinct on (t.user_id) t.user_id, nullif(t.timezone, ''), postrider.now()
from (select x.*, row_number() over () as place
      from json_to_recordset($1::json) as x(i int, user_id bigint, timezone text)) t
order by t.user_id, t.place desc
on conflict (user_id) do update set timezone = excluded.timezone, changed_at = excluded.changed_at
where p.timezone is distinct from excluded.timezone
)",
    65};

constexpr statement set_speech{
    "set_person_language",
    R"(
insert into postrider.person as p (user_id, language, changed_at)
select distinct on (t.user_id) t.user_id, nullif(t.language, ''), postrider.now()
from (select x.*, row_number() over () as place
      from json_to_recordset($1::json) as x(i int, user_id bigint, language text)) t
order by t.user_id, t.place desc
on conflict (user_id) do update set language = excluded.language, changed_at = excluded.changed_at
where p.language is distinct from excluded.language
)",
    66};

constexpr statement select_person{
    "read_person",
    R"(
select t.i, p.timezone, p.language
from json_to_recordset($1::json) as t(i int, user_id bigint)
join postrider.person p on p.user_id = t.user_id
)",
    20};

} // namespace

write set_timezone(user_id user, std::string_view timezone) {
    base::json_row row{{"user_id", base::raw(user)}, {"timezone", timezone}};
    return {&set_zone, std::move(row).text()};
}

write set_language(user_id user, std::string_view language) {
    base::json_row row{{"user_id", base::raw(user)}, {"language", language}};
    return {&set_speech, std::move(row).text()};
}

base::awaitable<base::result<person_settings>> read_person(
    batcher& reads, user_id user, base::duration deadline
) {
    write look{&select_person, base::json_row{{"user_id", base::raw(user)}}.text()};
    auto const found = co_await query(reads, std::move(look), deadline);
    if (!found) co_return found.error();
    person_settings settings;
    if (found->empty()) co_return settings;
    settings.timezone = found->front().optional_text(1).value_or("");
    settings.language = found->front().optional_text(2).value_or("");
    co_return settings;
}

} // namespace postrider::storage
