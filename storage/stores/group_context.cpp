#include "storage/stores/group_context.hpp"

#include "base/json/json.hpp"
#include "base/json/row.hpp"
#include "storage/query.hpp"

namespace postrider::storage {

namespace {

using base::json_row;

// The first row of each tells of the turn and the summary, the others of messages. What a photo or a sticker
// came without is not its words: the turn's input says so. A deletion that was not committed yet when a summary's
// messages were read may bear an earlier time: hence the minute. Of the newest 1,000 that the summary covers, those that were edited
// since are read, too. What the filter takes for spam may stand in the group all the
// same, in a dry run: its newest wording decides, and a person's word before it. Replies do not quote it, either.
constexpr statement select_context{
    "read_group_context",
    R"(
with t as materialized (
    select t.*, case when t.since_us is not null then 'epoch'::timestamptz + t.since_us * interval '1 us' end as since
    from json_to_recordset($1::json) as t(i int, bot_id bigint, chat_id bigint, lane_id bigint, turn bigint, since_us bigint, most int)
), turn as materialized (
    select t.*, j.created_at as arrived_at, s.job_id as covered_job, s.position as covered_position, s.messages, s.content, s.read_at,
           case when s.content <> '' then coalesce(e.job_id, 0) else coalesce(s.job_id, 0) end as behind_job,
           case when s.content <> '' then coalesce(e.position, 0) else coalesce(s.position, 0) end as behind_position
    from t
    cross join lateral (select j.created_at from postrider.job j where j.job_id = t.turn offset 0) j
    left join lateral (
        select s.* from postrider.group_summary s
        where s.lane_id = t.lane_id and s.job_id <= t.turn and s.since is not distinct from t.since
          and (s.content = '' or not exists (
              select from postrider.message m
              where m.lane_id = s.lane_id and m.removed_at >= s.read_at - interval '1 minute'
                and (m.job_id + 0, m.position + 0) <= (s.job_id, s.position)))
        order by s.job_id desc, s.position desc limit 1) s on true
    left join lateral (
        select m.job_id, m.position from postrider.message m
        where m.lane_id = t.lane_id and (m.job_id, m.position) <= (s.job_id, s.position)
        order by m.job_id desc, m.position desc offset 1000 limit 1) e on true
), said as materialized (
    select t.i, b.telegram_id, coalesce(b.username, b.name) as bot_name, m.*
    from turn t
    left join lateral (select b.* from postrider.bot b where b.bot_id = t.bot_id offset 0) b on true
    cross join lateral (
        select m.* from postrider.message m
        where m.lane_id = t.lane_id and m.chat_id = t.chat_id and m.job_id <= t.turn
          and (m.job_id, m.position) > (t.behind_job, t.behind_position)
          and ((m.job_id, m.position) > (coalesce(t.covered_job, 0), coalesce(t.covered_position, 0))
               or m.role = 'user' and (m.earlier -> -1 ->> 'until')::timestamptz > t.read_at)
          and (m.role = 'user' or m.role = 'assistant' and m.job_id < t.turn)
          and m.telegram_message_id is not null and m.removed_at is null
          and (t.since is null or m.created_at >= t.since)
          and (m.role <> 'user' or coalesce((
              select not v.is_spam
                     or exists (select from postrider.spam_catch c where c.chat_id = v.chat_id and c.message_id = v.message_id
                                and c.undone_at is not null)
              from postrider.spam_verdict v
              where v.chat_id = m.chat_id and v.message_id = m.telegram_message_id
              order by v.judged_at desc, v.wording limit 1), true))
        order by m.job_id desc, m.position desc limit t.most) m
)
select t.i, t.covered_job, t.covered_position, null, null, null, null, t.content, null,
       (extract(epoch from t.read_at) * 1000000)::bigint, (extract(epoch from t.arrived_at) * 1000000)::bigint,
       (extract(epoch from postrider.now()) * 1000000)::bigint, null, t.messages, null, null
from turn t
union all
select m.i, m.job_id, m.position, m.telegram_message_id, case when m.role = 'user' then m.sender_id else m.telegram_id end,
       m.sender_chat_id,
       case when m.role = 'user' then coalesce(m.author ->> 'chat_username', m.author ->> 'username', m.sender_name, '') else m.bot_name end,
       case when x.is_wordless and m.author ? 'media' then '' else m.content end, m.earlier,
       (extract(epoch from coalesce(m.sent_at, m.created_at)) * 1000000)::bigint, (extract(epoch from m.created_at) * 1000000)::bigint,
       null, coalesce(m.author ->> 'media', ''), m.reply_to, x.reply ->> 'name', x.reply ->> 'text'
from said m
left join lateral (
    select j.input #>> '{seen,text}' = '' as is_wordless,
           case when m.reply_to is not null and not exists (
                select from postrider.message q
                where q.chat_id = m.chat_id and q.number_elsewhere = m.reply_to and q.removed_at is not null offset 0)
                and coalesce((
                    select not v.is_spam
                           or exists (select from postrider.spam_catch c where c.chat_id = v.chat_id
                                      and c.message_id = v.message_id and c.undone_at is not null)
                    from postrider.spam_verdict v
                    where v.chat_id = m.chat_id and v.message_id = m.reply_to
                    order by v.judged_at desc, v.wording limit 1), true)
           then j.input #> '{seen,reply}' end as reply
    from postrider.job j
    where j.job_id = m.job_id and m.role = 'user' and (m.reply_to is not null or m.author ? 'media') offset 0) x on true
order by 1, 12 nulls last, 2, 3
)",
    10};

// A later summary of the same messages takes the place of an earlier one. Messages that were erased meanwhile left no mark:
// so they are counted, as they were read: without what the filter takes for spam and a dry run left there.
constexpr statement insert_group_summary{
    "add_group_summary",
    R"(
with w as materialized (
    select t.*, 'epoch'::timestamptz + t.read_us * interval '1 us' as read_at,
           case when t.since_us is not null then 'epoch'::timestamptz + t.since_us * interval '1 us' end as since
    from json_to_recordset($1::json) as t(i int, lane_id bigint, chat_id bigint, job_id bigint, position bigint, messages bigint,
                                          content text, read_us bigint, since_us bigint, first_job bigint, first_position bigint,
                                          counted bigint)
), gone as (
    delete from postrider.group_summary s using w
    where s.lane_id = w.lane_id and (s.job_id, s.position) <> (w.job_id, w.position) and s.content <> ''
      and exists (select from postrider.message m
                  where m.lane_id = s.lane_id and m.removed_at >= s.read_at - interval '1 minute'
                    and (m.job_id + 0, m.position + 0) <= (s.job_id, s.position))
)
insert into postrider.group_summary (lane_id, job_id, position, messages, content, read_at, since)
select w.lane_id, w.job_id, w.position, w.messages, w.content, w.read_at, w.since from w
where w.counted = 0
   or w.counted = (select count(*) from postrider.message m
                   where m.lane_id = w.lane_id and (m.job_id, m.position) >= (w.first_job, w.first_position)
                     and (m.job_id, m.position) <= (w.job_id, w.position) and m.chat_id = w.chat_id
                     and m.role in ('user', 'assistant') and m.telegram_message_id is not null and m.removed_at is null
                     and (m.role <> 'user' or coalesce((
                         select not v.is_spam
                                or exists (select from postrider.spam_catch c where c.chat_id = v.chat_id
                                           and c.message_id = v.message_id and c.undone_at is not null offset 0)
                         from postrider.spam_verdict v
                         where v.chat_id = m.chat_id and v.message_id = m.telegram_message_id
                         order by v.judged_at desc, v.wording limit 1), true)))
on conflict (lane_id, job_id, position) do update
set created_at = postrider.now(), messages = excluded.messages, content = excluded.content, read_at = excluded.read_at, since = excluded.since
)",
    53};

std::int64_t microseconds_of(base::sys_time at) {
    return std::chrono::duration_cast<std::chrono::microseconds>(at.time_since_epoch()).count();
}

// As message_edits.cpp writes them: Postgres prints the times in ISO 8601.
std::vector<earlier_wording> wordings_from(boost::json::value const& list) {
    std::vector<earlier_wording> wordings;
    for (auto const& wording : base::json_reader{list}.items_or_none())
        if (auto const until = base::from_iso8601(wording["until"].string_or("")))
            wordings.push_back({wording["content"].string_or(""), *until});
    return wordings;
}

context_row message_from_row(row const& entry) {
    context_row message;
    message.place = {entry.id<job_id>(1), entry.int64(2)};
    message.message = telegram_message_id{entry.int64(3)};
    message.user = user_id{entry.optional_int64(4).value_or(0)};
    if (auto const chat = entry.optional_int64(5)) message.sender_chat = chat_id{*chat};
    message.name = entry.optional_text(6).value_or("");
    message.text = entry.text(7);
    if (!entry.null(8)) message.earlier = wordings_from(entry.json(8));
    message.said_at = entry.time(9);
    message.stored_at = entry.time(10);
    message.media = entry.text(12);
    auto const replied = entry.optional_int64(13);
    if (replied && !entry.null(15))
        message.reply = quoted_context{
            telegram_message_id{*replied}, entry.optional_text(14).value_or(""), entry.text(15)};
    return message;
}

group_history history_from(row const& entry) {
    group_history history;
    history.arrived_at = entry.time(10);
    history.read_at = entry.time(11);
    if (entry.null(1)) return history;
    summary_row summary;
    summary.up_to = {entry.id<job_id>(1), entry.int64(2)};
    summary.text = entry.text(7);
    summary.read_at = entry.time(9);
    summary.messages = entry.int64(13);
    history.summary = std::move(summary);
    return history;
}

} // namespace

base::awaitable<base::result<group_history>> read_group_context(
    batcher& reads, context_page page, base::duration deadline
) {
    json_row request{
        {"bot_id", base::raw(page.bot)},
        {"chat_id", base::raw(page.chat)},
        {"lane_id", base::raw(page.lane)},
        {"turn", base::raw(page.turn)},
        {"most", page.most},
    };
    if (page.since) request.add({"since_us", microseconds_of(*page.since)});
    write look{&select_context, std::move(request).text()};
    auto const entries = co_await query(reads, std::move(look), deadline);
    if (!entries) co_return entries.error();
    if (entries->empty()) co_return base::error(base::errc::not_found, "the turn's job is gone");
    auto history = history_from(entries->front());
    for (auto entry = entries->begin() + 1; entry != entries->end(); ++entry) {
        auto message = message_from_row(*entry);
        bool const is_covered = history.summary && message.place <= history.summary->up_to;
        (is_covered ? history.edited : history.messages).push_back(std::move(message));
    }
    co_return history;
}

write add_group_summary(summary_source const& source, summary_row const& summary) {
    json_row row{
        {"lane_id", base::raw(source.lane)},
        {"chat_id", base::raw(source.chat)},
        {"job_id", base::raw(summary.up_to.job)},
        {"position", summary.up_to.position},
        {"messages", summary.messages},
        {"content", summary.text},
        {"read_us", microseconds_of(summary.read_at)},
        {"first_job", base::raw(source.first.job)},
        {"first_position", source.first.position},
        {"counted", source.messages},
    };
    if (source.since) row.add({"since_us", microseconds_of(*source.since)});
    return {&insert_group_summary, std::move(row).text()};
}

} // namespace postrider::storage
