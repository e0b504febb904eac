#include "storage/stores/group_archive.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::storage {

using base::json_row;

namespace {

// By the index of numbers. Only what it does not have, such as what the bot said, is looked for among the newest of each of the
// chat's lanes, all numbers in one pass. Lanes of the chat that wait for quiet wait anew. One that somebody has locked is passed over:
// a message arrives there, or its turn begins.
constexpr statement mark_messages{
    "mark_removed",
    R"(
with w as materialized (
    select distinct t.bot_id, t.chat_id, n.number
    from json_to_recordset($1::json) as t(i int, bot_id bigint, chat_id bigint, numbers bigint[])
    cross join lateral unnest(t.numbers) as n(number)
), indexed as materialized (
    select w.bot_id, w.chat_id, w.number, m.lane_id, m.job_id, m.position
    from w cross join lateral (
        select m.lane_id, m.job_id, m.position from postrider.message m
        where m.chat_id = w.chat_id and m.number_elsewhere = w.number
          and (select l.bot_id from postrider.lane l where l.lane_id = m.lane_id) = w.bot_id
        offset 0) m
), rest as materialized (
    select w.bot_id, w.chat_id, array_agg(w.number) as numbers from w
    where not exists (select from indexed i where i.bot_id = w.bot_id and i.chat_id = w.chat_id and i.number = w.number)
    group by w.bot_id, w.chat_id
), found as materialized (
    select i.lane_id, i.job_id, i.position from indexed i
    union
    select x.lane_id, x.job_id, x.position
    from rest r
    cross join lateral (select l.lane_id from postrider.lane l where l.bot_id = r.bot_id and l.chat_id = r.chat_id offset 0) l
    cross join lateral (select m.lane_id, m.job_id, m.position, m.chat_id, m.telegram_message_id from postrider.message m
                        where m.lane_id = l.lane_id order by m.job_id desc, m.position desc limit 500) x
    where x.chat_id = r.chat_id and x.telegram_message_id = any(r.numbers)
), waiting as materialized (
    select r.lane_id, least(r.quiet_until, postrider.now() + l.debounce_ms * interval '1 ms') as quiet_at
    from (select distinct w.bot_id, w.chat_id from w) c
    cross join lateral (select l.lane_id, l.debounce_ms from postrider.lane l
                        where l.bot_id = c.bot_id and l.chat_id = c.chat_id and l.debounce_ms > 0 offset 0) l
    cross join lateral (select r.lane_id, r.quiet_until from postrider.lane_run r
                        where r.lane_id = l.lane_id and r.node_id is null and r.quiet_until is not null and r.wait_reason is null
                          and r.ready_at > postrider.now() and r.ready_at < 'infinity'
                        for update skip locked) r
), reset as (
    update postrider.lane_run r set ready_at = greatest(r.ready_at, q.quiet_at)
    from waiting q
    where r.lane_id = any(array(select lane_id from waiting)) and r.lane_id + 0 = q.lane_id
)
update postrider.message m set removed_at = postrider.now()
from found f
where m.lane_id = any(array(select lane_id from found)) and m.job_id = any(array(select job_id from found))
  and m.lane_id + 0 = f.lane_id and m.job_id + 0 = f.job_id and m.position = f.position and m.removed_at is null
)",
    77};

// The chat's own lanes, one for each topic, and that of the reader. What the filter takes for spam is hidden like what was deleted, also
// where a dry run left it in the group.
constexpr statement archived_messages{
    "read_archive",
    R"(
select t.i, m.telegram_message_id, m.role <> 'user', m.sender_id, m.sender_chat_id, m.sender_name,
       case when h.is_hidden then '' else m.content end, m.reply_to,
       (extract(epoch from m.said_at) * 1000000)::bigint, m.edit_order is not null, h.is_hidden, m.author
from json_to_recordset($1::json) as t(i int, bot_id bigint, chat_id bigint, lane_id bigint, from_us bigint, before_us bigint, before_message bigint,
                                      most int)
cross join lateral (
    select x.*
    from (select l.lane_id from postrider.lane l where l.bot_id = t.bot_id and l.chat_id = t.chat_id
          union
          select t.lane_id) l
    cross join lateral (
        select m.*, coalesce(m.sent_at, m.created_at) as said_at from postrider.message m
        where m.lane_id = l.lane_id and m.chat_id = t.chat_id and m.role in ('user', 'assistant')
          and m.telegram_message_id is not null
          and (t.from_us is null or coalesce(m.sent_at, m.created_at) >= 'epoch'::timestamptz + t.from_us * interval '1 us')
          and (t.before_us is null or coalesce(m.sent_at, m.created_at) < 'epoch'::timestamptz + t.before_us * interval '1 us')
          and (t.before_message is null or m.telegram_message_id < t.before_message)
        order by m.job_id desc, m.position desc limit t.most) x
    order by x.job_id desc, x.position desc limit t.most) m
cross join lateral (
    select m.removed_at is not null or m.role = 'user' and coalesce((
        select v.is_spam
               and not exists (select from postrider.spam_catch c where c.chat_id = v.chat_id and c.message_id = v.message_id
                               and c.undone_at is not null)
        from postrider.spam_verdict v
        where v.chat_id = m.chat_id and v.message_id = m.telegram_message_id
        order by v.judged_at desc, v.wording limit 1), false) as is_hidden offset 0) h
order by t.i, m.job_id, m.position
)",
    10};

constexpr statement newest_of_author{
    "find_author",
    R"(
select t.i, m.telegram_message_id, false, m.sender_id, m.sender_chat_id, m.sender_name, '', m.reply_to,
       (extract(epoch from coalesce(m.sent_at, m.created_at)) * 1000000)::bigint, false, m.removed_at is not null, m.author
from json_to_recordset($1::json) as t(i int, bot_id bigint, chat_id bigint, lane_id bigint, user_id bigint)
cross join lateral (
    select x.*
    from (select l.lane_id from postrider.lane l where l.bot_id = t.bot_id and l.chat_id = t.chat_id
          union
          select t.lane_id) l
    cross join lateral (
        select m.* from (select m.* from postrider.message m where m.lane_id = l.lane_id
                         order by m.job_id desc, m.position desc limit 5000) m
        where m.chat_id = t.chat_id and m.role = 'user' and m.sender_id = t.user_id and m.sender_chat_id is null
        order by m.job_id desc limit 1) x
    order by x.job_id desc limit 1) m
)",
    10};

// A channel's messages have a stand-in of Telegram's as their user.
constexpr statement newest_of_one_author{
    "author_messages",
    R"(
select t.i, m.telegram_message_id
from json_to_recordset($1::json) as t(i int, bot_id bigint, chat_id bigint, lane_id bigint, user_id bigint, sender_chat_id bigint,
                                      hours int, most int)
cross join lateral (
    select distinct x.telegram_message_id
    from (select l.lane_id from postrider.lane l where l.bot_id = t.bot_id and l.chat_id = t.chat_id
          union
          select t.lane_id) l
    cross join lateral (
        select m.* from (select m.* from postrider.message m where m.lane_id = l.lane_id
                         order by m.job_id desc, m.position desc limit 20000) m
        where m.chat_id = t.chat_id and m.role = 'user' and m.telegram_message_id is not null and m.removed_at is null
          and (m.sender_chat_id = t.sender_chat_id
               or (t.sender_chat_id is null and m.sender_chat_id is null and m.sender_id = t.user_id))
          and coalesce(m.sent_at, m.created_at) > postrider.now() - make_interval(hours => t.hours)) x
    order by x.telegram_message_id desc limit t.most) m
order by t.i, m.telegram_message_id
)",
    10};

// Telegram numbers the parts of an album one after the other, but for what is said at the same moment.
constexpr statement parts_of_album{
    "album_parts",
    R"(
select t.i, m.number_elsewhere
from json_to_recordset($1::json) as t(i int, bot_id bigint, chat_id bigint, message_id bigint, album text)
cross join lateral (
    select distinct m.number_elsewhere from postrider.message m
    where m.chat_id = t.chat_id and m.number_elsewhere between t.message_id - 30 and t.message_id + 30 and m.role = 'user'
      and m.removed_at is null
      and (select l.bot_id from postrider.lane l where l.lane_id = m.lane_id) = t.bot_id
      and exists (select from postrider.job j where j.job_id = m.job_id and j.input #>> '{seen,album}' = t.album offset 0)) m
order by t.i, m.number_elsewhere
)",
    10};

archived_message archived_from(row const& entry) {
    archived_message message;
    message.message = telegram_message_id{entry.optional_int64(1).value_or(0)};
    message.is_own = entry.boolean(2);
    message.user = user_id{entry.optional_int64(3).value_or(0)};
    if (auto const chat = entry.optional_int64(4)) message.sender_chat = chat_id{*chat};
    message.name = entry.optional_text(5).value_or("");
    message.text = entry.text(6);
    if (auto const replied = entry.optional_int64(7))
        message.reply_to = telegram_message_id{*replied};
    message.at = entry.time(8);
    message.is_edited = entry.boolean(9);
    message.is_removed = entry.boolean(10);
    if (!entry.null(11)) message.author = entry.json(11);
    return message;
}

json_row archive_row(bot_id bot, chat_id chat, lane_id lane) {
    return {
        {"bot_id", base::raw(bot)},
        {"chat_id", base::raw(chat)},
        {"lane_id", base::raw(lane)},
    };
}

std::int64_t in_microseconds(base::sys_time at) {
    return std::chrono::duration_cast<std::chrono::microseconds>(at.time_since_epoch()).count();
}

} // namespace

write mark_removed(bot_id bot, chat_id chat, std::vector<telegram_message_id> const& messages) {
    boost::json::array numbers;
    for (auto const message : messages) numbers.push_back(base::raw(message));
    boost::json::value const list(std::move(numbers));
    json_row row{
        {"bot_id", base::raw(bot)},
        {"chat_id", base::raw(chat)},
        {"numbers", list},
    };
    return {&mark_messages, std::move(row).text()};
}

base::awaitable<base::result<std::vector<archived_message>>> read_archive(
    batcher& reads, archive_page page, base::duration deadline
) {
    auto row = archive_row(page.bot, page.chat, page.lane);
    if (page.from_time) row.add({"from_us", in_microseconds(*page.from_time)});
    if (page.before_time) row.add({"before_us", in_microseconds(*page.before_time)});
    if (page.before_message != telegram_message_id{})
        row.add({"before_message", base::raw(page.before_message)});
    row.add({"most", page.limit});
    write look{&archived_messages, std::move(row).text()};
    auto entries = co_await query(reads, std::move(look), deadline);
    if (!entries) co_return entries.error();
    std::vector<archived_message> messages;
    for (auto const& entry : *entries) messages.push_back(archived_from(entry));
    co_return messages;
}

base::awaitable<base::result<std::optional<archived_message>>> find_author(
    batcher& reads, bot_id bot, chat_id chat, lane_id lane, user_id user, base::duration deadline
) {
    auto row = archive_row(bot, chat, lane);
    row.add({"user_id", base::raw(user)});
    write look{&newest_of_author, std::move(row).text()};
    auto entries = co_await query(reads, std::move(look), deadline);
    if (!entries) co_return entries.error();
    std::optional<archived_message> author;
    if (!entries->empty()) author = archived_from(entries->front());
    co_return author;
}

base::awaitable<base::result<std::vector<telegram_message_id>>> read_author_messages(
    batcher& reads, author_messages page, base::duration deadline
) {
    auto row = archive_row(page.bot, page.chat, page.lane);
    row.add({"user_id", base::raw(page.user)});
    if (page.sender_chat) row.add({"sender_chat_id", base::raw(*page.sender_chat)});
    row.add({"hours", page.since.count()});
    row.add({"most", page.limit});
    write look{&newest_of_one_author, std::move(row).text()};
    auto const entries = co_await query(reads, std::move(look), deadline);
    if (!entries) co_return entries.error();
    std::vector<telegram_message_id> messages;
    for (auto const& entry : *entries) messages.push_back(entry.id<telegram_message_id>(1));
    co_return messages;
}

base::awaitable<base::result<std::vector<telegram_message_id>>> read_album_parts(
    batcher& reads,
    bot_id bot,
    chat_id chat,
    telegram_message_id message,
    std::string album,
    base::duration deadline
) {
    json_row row{
        {"bot_id", base::raw(bot)},
        {"chat_id", base::raw(chat)},
        {"message_id", base::raw(message)},
        {"album", album},
    };
    write look{&parts_of_album, std::move(row).text()};
    auto const entries = co_await query(reads, std::move(look), deadline);
    if (!entries) co_return entries.error();
    std::vector<telegram_message_id> messages;
    for (auto const& entry : *entries) messages.push_back(entry.id<telegram_message_id>(1));
    co_return messages;
}

} // namespace postrider::storage
