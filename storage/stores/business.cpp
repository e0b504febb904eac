#include "storage/stores/business.hpp"

#include "base/json/row.hpp"

namespace postrider::storage {

namespace {

constexpr statement keep_connections{
    "keep_business_connection",
    R"(
insert into postrider.business_connection (bot_id, connection, account_id, connected_at, is_enabled, may_reply)
select distinct on (bot_id, connection) bot_id, connection, account_id, to_timestamp(connected_at), is_enabled, may_reply
from json_to_recordset($1::json) as t(i int, bot_id bigint, connection text, account_id bigint, connected_at bigint,
                                        is_enabled boolean, may_reply boolean)
order by bot_id, connection, i desc
on conflict (bot_id, connection) do update
set account_id = excluded.account_id, connected_at = excluded.connected_at, is_enabled = excluded.is_enabled,
    may_reply = excluded.may_reply
)",
    12};

// A number is drawn for a new chat alone. Where another transaction adds it in the same moment, its row is waited for.
constexpr statement find_chats{
    "find_business_chat",
    R"(
with t as materialized (
    select t.i, t.bot_id, t.customer_id, c.account_id, c.may_reply
    from json_to_recordset($1::json) as t(i int, bot_id bigint, connection text, customer_id bigint)
    cross join lateral (
        select c.account_id, c.is_enabled and c.may_reply as may_reply from postrider.business_connection c
        where c.bot_id = t.bot_id and c.connection = t.connection offset 0) c
), there as materialized (
    select t.i, b.chat_id from t
    cross join lateral (
        select b.chat_id from postrider.business_chat b
        where b.bot_id = t.bot_id and b.account_id = t.account_id and b.customer_id = t.customer_id offset 0) b
), added as (
    insert into postrider.business_chat (bot_id, account_id, customer_id)
    select distinct t.bot_id, t.account_id, t.customer_id from t
    where t.i not in (select i from there) order by t.bot_id, t.account_id, t.customer_id
    on conflict (bot_id, account_id, customer_id) do update set customer_id = excluded.customer_id
    returning chat_id, bot_id, account_id, customer_id
)
select t.i, coalesce(h.chat_id, a.chat_id), t.account_id, t.customer_id, t.may_reply
from t left join there h on h.i = t.i
left join added a on a.bot_id = t.bot_id and a.account_id = t.account_id and a.customer_id = t.customer_id
)",
    9};

constexpr statement way_to_chat{"business_way", R"(
select c.connection, b.customer_id, c.is_enabled and c.may_reply, c.account_id
from postrider.business_chat b
join postrider.business_connection c on c.bot_id = b.bot_id and c.account_id = b.account_id
where b.chat_id = $2::bigint and b.bot_id = $1::bigint
order by c.is_enabled desc, c.connected_at desc limit 1
)"};

constexpr statement numbers_of_customer{
    "business_numbers",
    "select b.chat_id from postrider.business_chat b where b.customer_id = $1::bigint order by "
    "b.chat_id"};

} // namespace

write keep_business_connection(business_connection const& connection) {
    base::json_row row{
        {"bot_id", base::raw(connection.bot)},
        {"connection", connection.id},
        {"account_id", base::raw(connection.account)},
        {"connected_at", connection.connected_at},
        {"is_enabled", connection.is_enabled},
        {"may_reply", connection.may_reply},
    };
    return {&keep_connections, std::move(row).text()};
}

write find_business_chat(bot_id bot, std::string_view connection, user_id customer) {
    base::json_row row{
        {"bot_id", base::raw(bot)},
        {"connection", connection},
        {"customer_id", base::raw(customer)},
    };
    return {&find_chats, std::move(row).text()};
}

business_chat read_business_chat(row const& entry) {
    return {entry.id<chat_id>(1), entry.id<user_id>(2), entry.id<user_id>(3), entry.boolean(4)};
}

base::awaitable<base::result<std::optional<business_way>>> find_business_way(
    database& db, bot_id bot, chat_id chat, base::duration deadline
) {
    std::vector<param> params{base::raw(bot), base::raw(chat)};
    auto answer = co_await db.query(way_to_chat, std::move(params), deadline);
    if (!answer) co_return answer.error();
    std::optional<business_way> way;
    if (!answer->empty()) {
        auto const& r = answer->front();
        way = business_way{r.text(0), r.id<chat_id>(1), r.boolean(2), r.id<user_id>(3)};
    }
    co_return way;
}

std::vector<user_id> business_numbers(transaction& tx, user_id customer) {
    std::vector<user_id> numbers;
    for (auto const& r : tx.query(numbers_of_customer, {customer}))
        numbers.push_back(r.id<user_id>(0));
    return numbers;
}

} // namespace postrider::storage
