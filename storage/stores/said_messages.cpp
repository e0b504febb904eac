#include "storage/stores/said_messages.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

namespace postrider::storage {

namespace {

constexpr statement select_said_message{
    "spoken_message",
    R"(
select t.i, m.chat_id, m.telegram_message_id, m.sender_id, m.sender_chat_id, m.sender_name,
       case when j.input ->> 'wordless' = 'true' then '' else m.content end, m.removed_at is not null, coalesce(j.input #>> '{seen,album}', ''),
       coalesce(m.sender_chat_id = m.chat_id or j.input #>> '{seen,sender,kind}' = 'linked_channel', false)
from json_to_recordset($1::json) as t(i int, bot_id bigint, chat_id bigint, number bigint)
cross join lateral (
    select m.* from postrider.message m
    where m.chat_id = t.chat_id and m.number_elsewhere = t.number and m.role = 'user'
      and exists (select from postrider.lane l where l.lane_id = m.lane_id and l.bot_id = t.bot_id)
    order by m.job_id desc limit 1) m
left join lateral (select j.input from postrider.job j where j.job_id = m.job_id offset 0) j on true
)",
    10};

constexpr statement select_forwarded{
    "forwarded_message",
    R"(
select t.i, m.chat_id, m.telegram_message_id
from json_to_recordset($1::json) as t(i int, bot_id bigint, chat_id bigint, content text, user_id bigint, name text)
cross join lateral (
    select m.*
    from (select m.* from postrider.message m where m.created_at > postrider.now() - interval '2 days'
          order by m.created_at desc limit 100000) m
    where m.role = 'user' and m.number_elsewhere is not null and m.content = t.content and m.chat_id < 0 and m.chat_id <> t.chat_id
      and (m.sender_id = t.user_id or (t.user_id is null and m.sender_name = t.name))
      and exists (select from postrider.lane l where l.lane_id = m.lane_id and l.bot_id = t.bot_id)
    order by m.created_at desc limit 1) m
)",
    10};

} // namespace

base::awaitable<base::result<std::optional<spoken_message>>> find_said_message(
    batcher& reads, bot_id bot, chat_id chat, telegram_message_id message, base::duration deadline
) {
    base::json_row row{
        {"bot_id", base::raw(bot)},
        {"chat_id", base::raw(chat)},
        {"number", base::raw(message)},
    };
    write look{&select_said_message, std::move(row).text()};
    auto const entries = co_await query(reads, std::move(look), deadline);
    if (!entries) co_return entries.error();
    std::optional<spoken_message> spoken;
    if (entries->empty()) co_return spoken;
    auto const& entry = entries->front();
    spoken.emplace();
    spoken->chat = entry.id<chat_id>(1);
    spoken->message = entry.id<telegram_message_id>(2);
    spoken->user = user_id{entry.optional_int64(3).value_or(0)};
    if (auto const sender = entry.optional_int64(4)) spoken->sender_chat = chat_id{*sender};
    spoken->name = entry.optional_text(5).value_or("");
    spoken->text = entry.text(6);
    spoken->is_removed = entry.boolean(7);
    spoken->album = entry.text(8);
    spoken->is_of_group = entry.boolean(9);
    co_return spoken;
}

base::awaitable<base::result<std::optional<message_number>>> find_forwarded(
    batcher& reads, forwarded_copy copy, base::duration deadline
) {
    base::json_row row{
        {"bot_id", base::raw(copy.bot)},
        {"chat_id", base::raw(copy.but_for)},
        {"content", copy.text},
    };
    if (copy.user)
        row.add({"user_id", base::raw(*copy.user)});
    else
        row.add({"name", copy.name});
    write look{&select_forwarded, std::move(row).text()};
    auto const entries = co_await query(reads, std::move(look), deadline);
    if (!entries) co_return entries.error();
    std::optional<message_number> number;
    if (entries->empty()) co_return number;
    auto const& entry = entries->front();
    number = message_number{entry.id<chat_id>(1), entry.id<telegram_message_id>(2)};
    co_return number;
}

} // namespace postrider::storage
