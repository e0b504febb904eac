#include "storage/stores/messages.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

#include <algorithm>
#include <tuple>

namespace postrider::storage {

using base::json_row;

namespace {

// A commit whose answer was lost is sent again: the rows may stand already.
constexpr statement insert_message{
    "add_message",
    R"(
insert into postrider.message (lane_id, job_id, conversation_id, telegram_message_id, position, role, delivery,
                               id, content, detail, chat_id, thread_id, sender_id, sender_name, reply_to, sent_at)
select lane_id, job_id, conversation_id, telegram_message_id, position, role, delivery, id, content, detail,
       chat_id, thread_id, sender_id, sender_name, reply_to, to_timestamp(sent_at)
from json_to_recordset($1::json) as t(i int, lane_id bigint, job_id bigint, conversation_id bigint,
     telegram_message_id bigint, position bigint, role text, delivery text, id text, content text, detail jsonb,
     chat_id bigint, thread_id bigint, sender_id bigint, sender_name text, reply_to bigint, sent_at bigint)
on conflict do nothing
)",
    50};

// The message gets the number that a turn would have had, which puts it in order among them. A lane
// that is gone gets no row.
constexpr statement add_unanswered{
    "add_unanswered_message",
    R"(
with t as materialized (
    select t.*, l.conversation_id, nextval('postrider.number') as number
    from json_to_recordset($1::json) as t(i int, lane_id bigint, telegram_message_id bigint, role text, id text,
         content text, chat_id bigint, thread_id bigint, sender_id bigint, sender_name text, reply_to bigint,
         sent_at bigint)
    cross join lateral (select l.conversation_id from postrider.lane l where l.lane_id = t.lane_id offset 0) l
    order by t.i
), inserted as (
    insert into postrider.message (lane_id, job_id, conversation_id, telegram_message_id, position, role, id, content,
                                   chat_id, thread_id, sender_id, sender_name, reply_to, sent_at)
    select lane_id, number, conversation_id, telegram_message_id, 0, role, id, content,
           chat_id, thread_id, sender_id, sender_name, reply_to, to_timestamp(sent_at)
    from t
)
select i from t
)",
    51};

// As add_message, in the conversation that is open in the row's lane by now, or where the job's own
// question stands; nothing where that was deleted.
constexpr statement add_from_beside{
    "add_message_from_beside",
    R"(
insert into postrider.message (lane_id, job_id, conversation_id, telegram_message_id, position, role, delivery, id, content,
                               chat_id, thread_id, sender_id, sender_name, reply_to, sent_at, beside)
select l.lane_id, t.job_id,
       coalesce((select q.conversation_id from postrider.message q
                 where q.lane_id = l.lane_id and q.job_id = t.job_id and q.position = 0), l.conversation_id),
       t.telegram_message_id, t.position, t.role, t.delivery, t.id, t.content,
       t.chat_id, t.thread_id, t.sender_id, t.sender_name, t.reply_to, to_timestamp(t.sent_at), true
from json_to_recordset($1::json) as t(i int, lane_id bigint, lane_key text, job_id bigint, telegram_message_id bigint, position bigint,
                                        role text, delivery text, id text, content text, chat_id bigint, thread_id bigint,
                                        sender_id bigint, sender_name text, reply_to bigint, sent_at bigint)
cross join lateral (select l.lane_id, l.conversation_id from postrider.lane l
                    where l.lane_id = case when t.lane_key is null then t.lane_id
                                           else (select k.lane_id from postrider.lane k where k.lane_key = t.lane_key) end offset 0) l
where not postrider.lane_closed(l.lane_id)
on conflict do nothing
)",
    52};

// The rows are looked up by their whole keys first; two arrays, of lanes and of jobs, would try
// every pair. The fence has locked their lanes, so none moves in between. A row that says so already
// stays as it is: to whoever watches a conversation a new version is a message that has changed.
constexpr statement deliver{
    "set_delivery",
    R"(
with w as materialized (
    select t.*, m.place
    from json_to_recordset($1::json) as t(i int, lane_id bigint, lane_key text, job_id bigint, position bigint,
                                            delivery text, telegram_message_id bigint)
    cross join lateral (select m.ctid as place from postrider.message m
                        where m.lane_id = case when t.lane_key is null then t.lane_id
                                               else (select k.lane_id from postrider.lane k where k.lane_key = t.lane_key) end and m.job_id = t.job_id and m.position = t.position offset 0) m
)
update postrider.message m
set delivery = w.delivery, telegram_message_id = coalesce(w.telegram_message_id, m.telegram_message_id)
from w
where m.ctid = any(array(select place from w)) and m.job_id + 0 = w.job_id and m.position = w.position
  and (m.delivery is distinct from w.delivery or m.telegram_message_id is distinct from coalesce(w.telegram_message_id, m.telegram_message_id))
)",
    60};

// Behind what the same commit says of the job's effects: its order is greater than theirs. In other
// lanes, too, where the job spoke.
constexpr statement close{
    "close_deliveries",
    R"(
with w as materialized (
    select * from json_to_recordset($1::json) as t(i int, lane_id bigint, job_id bigint)
), p as materialized (
    select lane_id, job_id from w
    union
    select m.lane_id, m.job_id
    from w cross join lateral (select m.lane_id, m.job_id from postrider.message m
                               where m.job_id = w.job_id and m.beside and m.delivery = 'pending' offset 0) m
), e as materialized (
    select e.job_id, bool_or(e.state in ('started', 'unknown')) as in_doubt, bool_and(e.state = 'done') as done
    from postrider.effect e
    where e.job_id between $2::bigint and $3::bigint and e.job_id = any(array(select job_id from w)) and position('~' in e.key) = 0
    group by e.job_id
)
update postrider.message m
set delivery = case when e.in_doubt then 'unknown' when e.done then 'sent' else 'failed' end
from p left join e on e.job_id = p.job_id
where m.lane_id = any(array(select lane_id from p)) and m.job_id = any(array(select job_id from p))
  and m.lane_id + 0 = p.lane_id and m.job_id + 0 = p.job_id and m.delivery = 'pending'
)",
    75,
    rows_and_range};

// A statement of its own, before the next one: what the next one reads has then been decided by
// the worker that held the lane.
constexpr statement lock_message_lanes{
    "lock_edited_lanes",
    R"(
select x.i
from (select t.i, l.lane_id
      from json_to_recordset($1::json) as t(i int, lane_key text)
      cross join lateral (select l.lane_id from postrider.lane l where l.lane_key = t.lane_key offset 0) l
      order by l.lane_id) x
cross join lateral (select from postrider.lane_run r where r.lane_id = x.lane_id
                    order by r.epoch desc limit 1 for update) r
)",
    19};

// A turn takes new words as long as the older ones have led to nothing that is recorded: to no step
// that has ended, and to no effect, which may wait for its next try. Later they change too, and the
// earlier ones are kept for the turn that works with them. Live turns start at
// lane_run.head, so the message is found without an index of its own. One that no turn answers, or
// whose turn is paused or over, is looked for among the lane's newest, as long as Telegram lets people
// edit it. Where a message is edited twice in one batch, the later text stands.
constexpr statement edit{
    "edit_message",
    R"(
with w as materialized (
    select t.*, row_number() over () as n
    from json_to_recordset($1::json) as t(i int, lane_key text, bot_id bigint, chat_id bigint,
                                            telegram_message_id bigint, content text)
), found as materialized (
    select w.i, w.n, w.content, m.lane_id, m.job_id, m.position, m.content is distinct from w.content as changed,
           exists (select from postrider.job j where j.job_id = m.job_id and j.finished_at is null)
           and not exists (select from postrider.step s where s.job_id = m.job_id and s.outcome <> 'retry')
           and not exists (select from postrider.effect e where e.job_id = m.job_id offset 0) as open
    from w
    cross join lateral (select l.lane_id from postrider.lane l where l.lane_key = w.lane_key offset 0) l
    cross join lateral (select r.head from postrider.lane_run r where r.lane_id = l.lane_id
                        order by r.epoch desc limit 1) r
    cross join lateral (select m.lane_id, m.job_id, m.position, m.content from postrider.message m
                        where m.lane_id = l.lane_id and m.job_id >= r.head and m.role = 'user'
                          and m.telegram_message_id = w.telegram_message_id
                          and exists (select from postrider.job j where j.job_id = m.job_id
                                      and (j.input->>'bot')::bigint = w.bot_id
                                      and (j.input->>'chat')::bigint = w.chat_id)
                        order by m.job_id limit 1) m
), kept as materialized (
    select w.i, w.n, w.content, m.lane_id, m.job_id, m.position, m.content is distinct from w.content as changed,
           not exists (select from postrider.job j where j.job_id = m.job_id and j.finished_at is not null)
           and not exists (select from postrider.step s where s.job_id = m.job_id and s.outcome <> 'retry')
           and not exists (select from postrider.effect e where e.job_id = m.job_id offset 0) as open
    from w
    cross join lateral (select l.lane_id from postrider.lane l where l.lane_key = w.lane_key offset 0) l
    cross join lateral (
        select x.lane_id, x.job_id, x.position, x.content
        from (select m.* from postrider.message m
              where m.lane_id = l.lane_id order by m.job_id desc, m.position desc limit 500) x
        where x.role = 'user' and x.telegram_message_id = w.telegram_message_id and x.chat_id = w.chat_id
          and x.created_at > postrider.now() - interval '2 days'
          and not exists (select from postrider.job j
                          where j.job_id = x.job_id and (j.input->>'bot')::bigint <> w.bot_id)
        limit 1) m
    where w.i <> all(array(select i from found))
), last as materialized (
    select distinct on (lane_id, job_id, position) lane_id, job_id, position, content, open
    from (select lane_id, job_id, position, content, n, open from found where changed
          union all select lane_id, job_id, position, content, n, open from kept where changed) x
    order by lane_id, job_id, position, n desc
), replaced as (
    update postrider.message m
    set content = last.content,
        earlier = case when last.open then m.earlier
                       else case when jsonb_array_length(coalesce(m.earlier, '[]')) < 20 then coalesce(m.earlier, '[]') else m.earlier - 1 end
                            || jsonb_build_object('content', m.content, 'until', postrider.now()) end
    from last
    where m.lane_id = any(array(select lane_id from last)) and m.job_id = any(array(select job_id from last))
      and m.lane_id + 0 = last.lane_id and m.job_id + 0 = last.job_id and m.position = last.position
), counted as (
    update postrider.lane_run r set edits = r.edits + 1 where r.lane_id = any(array(select lane_id from found where open and changed))
)
select i, open from (select i, open, n from found union all select i, open, n from kept) x order by n
)",
    20};

// A conversation's number is older than those of its turns, which bounds what is looked through.
constexpr statement clear_messages_of_lane{
    "clear_conversation",
    R"(
delete from postrider.message m
using json_to_recordset($1::json) as t(i int, lane_id bigint, conversation_id bigint, job_id bigint)
where m.lane_id = t.lane_id and m.job_id > t.conversation_id and m.job_id < t.job_id
  and m.conversation_id = t.conversation_id
)",
    48};

// A conversation's number is older than those of its turns, which bounds the walk back. What was said
// is counted; the calls and results in between come with it, however many they are within reason.
constexpr statement history{
    "read_history",
    R"(
select t.i, m.*
from json_to_recordset($1::json) as t(i int, lane_id bigint, conversation_id bigint, job_id bigint, newest int,
                                        past_lane bigint, past_before bigint)
left join lateral (
    select c.job_id, c.position from postrider.message c
    where c.lane_id = coalesce(t.past_lane, t.lane_id) and c.job_id < coalesce(t.past_before, t.job_id)
      and c.job_id > t.conversation_id
      and c.conversation_id = t.conversation_id
      and postrider.was_said(c.role, c.detail)
    order by c.job_id desc, c.position desc offset greatest(t.newest - 1, 0) limit 1) oldest on true
cross join lateral (
    (select m.job_id, m.position, m.role, m.content, m.detail, m.sender_id from postrider.message m
     where m.lane_id = coalesce(t.past_lane, t.lane_id) and m.job_id < coalesce(t.past_before, t.job_id)
       and m.job_id > t.conversation_id
       and m.conversation_id = t.conversation_id
       and (m.job_id, m.position) >= (coalesce(oldest.job_id, 0), coalesce(oldest.position, 0))
     order by m.job_id desc, m.position desc
     limit case when t.newest > 0 then least(t.newest * 20, t.newest + 10000) else 0 end)
    union all
    (select m.job_id, m.position, m.role, coalesce(m.earlier -> 0 ->> 'content', m.content), m.detail, m.sender_id from postrider.message m
     where m.lane_id = t.lane_id and m.job_id = t.job_id)
) m
)",
    10};

// What was said, where, and by whom.
json_row said(message_row const& row) {
    json_row written{
        {"lane_id", base::raw(row.lane)},
        {"role", row.role},
        {"id", row.id},
        {"content", row.content},
    };
    if (row.telegram_message)
        written.add({"telegram_message_id", base::raw(*row.telegram_message)});
    if (row.chat) written.add({"chat_id", base::raw(*row.chat)});
    if (row.thread != thread_id{}) written.add({"thread_id", base::raw(row.thread)});
    if (row.sender) written.add({"sender_id", base::raw(*row.sender)});
    if (!row.sender_name.empty()) written.add({"sender_name", row.sender_name});
    if (row.reply_to) written.add({"reply_to", base::raw(*row.reply_to)});
    if (row.sent_at) written.add({"sent_at", row.sent_at->time_since_epoch().count()});
    return written;
}

std::vector<message_row> read_messages(
    rows const& found, lane_id lane, conversation_id conversation
) {
    std::vector<message_row> messages;
    messages.reserve(found.size());
    for (auto const& row : found) {
        message_row message;
        message.lane = lane;
        message.conversation = conversation;
        message.job = row.id<job_id>(1);
        message.position = row.int64(2);
        message.role = row.text(3);
        message.content = row.text(4);
        if (!row.null(5)) message.detail = row.json(5);
        if (!row.null(6)) message.sender = row.id<user_id>(6);
        messages.push_back(std::move(message));
    }
    std::ranges::sort(messages, {}, [](auto const& m) { return std::tuple(m.job, m.position); });
    return messages;
}

} // namespace

write add_message(message_row const& row) {
    auto written = said(row);
    written.add({"job_id", base::raw(row.job)});
    written.add({"conversation_id", base::raw(row.conversation)});
    written.add({"position", row.position});
    if (!row.detail.is_null()) written.add({"detail", row.detail});
    if (!row.delivery.empty()) written.add({"delivery", row.delivery});
    return {&insert_message, std::move(written).text()};
}

write add_message_from_beside(message_row const& row, std::string_view lane_key) {
    auto written = said(row);
    if (!lane_key.empty()) written.add({"lane_key", lane_key});
    written.add({"job_id", base::raw(row.job)});
    written.add({"position", row.position});
    if (!row.delivery.empty()) written.add({"delivery", row.delivery});
    return {&add_from_beside, std::move(written).text()};
}

write add_unanswered_message(message_row const& row) {
    return {&add_unanswered, said(row).text()};
}

write set_delivery(
    lane_id lane,
    job_id job,
    std::int64_t position,
    std::string_view delivery,
    std::optional<telegram_message_id> telegram_message,
    std::string_view lane_key
) {
    json_row written{
        {"lane_id", base::raw(lane)},
        {"job_id", base::raw(job)},
        {"position", position},
        {"delivery", delivery},
    };
    if (!lane_key.empty()) written.add({"lane_key", lane_key});
    if (telegram_message) written.add({"telegram_message_id", base::raw(*telegram_message)});
    return {&deliver, std::move(written).text()};
}

write clear_conversation(lane_id lane, conversation_id conversation, job_id before) {
    json_row row{
        {"lane_id", base::raw(lane)},
        {"conversation_id", base::raw(conversation)},
        {"job_id", base::raw(before)},
    };
    return {&clear_messages_of_lane, std::move(row).text()};
}

write close_deliveries(lane_id lane, job_id job) {
    json_row written{{"lane_id", base::raw(lane)}, {"job_id", base::raw(job)}};
    return {&close, std::move(written).text(), job_range::only(job)};
}

write lock_edited_lane(std::string_view lane_key) {
    return {&lock_message_lanes, json_row{{"lane_key", lane_key}}.text()};
}

write edit_message(
    std::string_view lane_key,
    bot_id bot,
    chat_id chat,
    telegram_message_id message,
    std::string_view text
) {
    json_row row{
        {"lane_key", lane_key},
        {"bot_id", base::raw(bot)},
        {"chat_id", base::raw(chat)},
        {"telegram_message_id", base::raw(message)},
        {"content", text},
    };
    return {&edit, std::move(row).text()};
}

base::awaitable<base::result<std::vector<message_row>>> read_history(
    batcher& reads,
    lane_id lane,
    conversation_id conversation,
    job_id job,
    int limit,
    base::duration deadline,
    std::optional<turn_place> stands_at
) {
    json_row row{
        {"lane_id", base::raw(lane)},
        {"conversation_id", base::raw(conversation)},
        {"job_id", base::raw(job)},
        {"newest", limit},
    };
    if (stands_at) {
        row.add({"past_lane", base::raw(stands_at->lane)});
        row.add({"past_before", base::raw(stands_at->job)});
    }
    write request{&history, std::move(row).text()};
    auto found = co_await query(reads, std::move(request), deadline);
    if (!found) co_return found.error();
    co_return read_messages(*found, lane, conversation);
}

} // namespace postrider::storage
