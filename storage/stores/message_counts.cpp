#include "storage/stores/message_counts.hpp"

#include "base/json/row.hpp"

namespace postrider::storage {

namespace {

// In the order of the users, so that two nodes never wait for each other in a circle.
constexpr statement count_messages{
    "count_messages",
    R"(
with t as materialized (
    select t.*, row_number() over (partition by t.user_id order by t.i) as place, count(*) over (partition by t.user_id) as arrived
    from json_to_recordset($1::json) as t(i int, user_id bigint)
), c as (
    insert into postrider.message_count as c (user_id, messages, since)
    select user_id, count(*), postrider.now() from t group by user_id order by user_id
    on conflict (user_id) do update
    set messages = case when c.since > postrider.now() - interval '1 minute' then c.messages + excluded.messages else excluded.messages end,
        since = case when c.since > postrider.now() - interval '1 minute' then c.since else excluded.since end
    returning user_id, messages, since
)
select t.i, c.messages - t.arrived + t.place, ceil(extract(epoch from c.since + interval '1 minute' - postrider.now()))::bigint
from t join c on c.user_id = t.user_id
)",
    15};

} // namespace

write count_message(user_id user) {
    return {&count_messages, base::json_row{{"user_id", base::raw(user)}}.text()};
}

message_count read_message_count(row const& returned) {
    return {.place = returned.int64(1), .opens = std::chrono::seconds{returned.int64(2)}};
}

} // namespace postrider::storage
