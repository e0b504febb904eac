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
                               id, content, detail, chat_id, thread_id, sender_id, sender_name, reply_to, sent_at, origin, sender_chat_id, author)
select lane_id, job_id, conversation_id, telegram_message_id, position, role, delivery, id, content, detail,
       chat_id, thread_id, sender_id, sender_name, reply_to, to_timestamp(sent_at), origin, sender_chat_id, author
from json_to_recordset($1::json) as t(i int, lane_id bigint, job_id bigint, conversation_id bigint,
     telegram_message_id bigint, position bigint, role text, delivery text, id text, content text, detail jsonb,
     chat_id bigint, thread_id bigint, sender_id bigint, sender_name text, reply_to bigint, sent_at bigint,
     origin text, sender_chat_id bigint, author jsonb)
on conflict do nothing
)",
    50};

// The message gets the number that a turn would have had, which puts it in order among them. A lane
// that is gone gets no row.
constexpr statement add_unanswered{
    "add_unanswered_message",
    R"(
with t as materialized (
    select t.*, l.conversation_id, nextval('postrider.number') as number,
           case when t.chat_id is distinct from l.chat_id and t.chat_id is not null then t.telegram_message_id end as number_elsewhere
    from json_to_recordset($1::json) as t(i int, lane_id bigint, telegram_message_id bigint, role text, id text,
         content text, chat_id bigint, thread_id bigint, sender_id bigint, sender_name text, reply_to bigint,
         sent_at bigint, origin text, sender_chat_id bigint, author jsonb)
    cross join lateral (select l.conversation_id, l.chat_id from postrider.lane l where l.lane_id = t.lane_id offset 0) l
    order by t.i
), inserted as (
    insert into postrider.message (lane_id, job_id, conversation_id, telegram_message_id, position, role, id, content,
                                   chat_id, thread_id, sender_id, sender_name, reply_to, sent_at, origin, sender_chat_id,
                                   author, number_elsewhere)
    select lane_id, number, conversation_id, telegram_message_id, 0, role, id, content,
           chat_id, thread_id, sender_id, sender_name, reply_to, to_timestamp(sent_at), origin, sender_chat_id, author,
           number_elsewhere
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
                               detail, chat_id, thread_id, sender_id, sender_name, reply_to, sent_at, origin, sender_chat_id,
                               author, beside, number_elsewhere)
select l.lane_id, t.job_id,
       case when t.for_people then 0
            else coalesce((select q.conversation_id from postrider.message q
                           where q.lane_id = l.lane_id and q.job_id = t.job_id and q.position = 0), l.conversation_id) end,
       t.telegram_message_id, t.position, t.role, t.delivery, t.id, t.content, t.detail,
       t.chat_id, t.thread_id, t.sender_id, t.sender_name, t.reply_to, to_timestamp(t.sent_at), t.origin, t.sender_chat_id,
       t.author, true,
       case when t.role = 'user' and t.chat_id is distinct from l.chat_id and t.chat_id is not null then t.telegram_message_id end
from json_to_recordset($1::json) as t(i int, lane_id bigint, lane_key text, job_id bigint, telegram_message_id bigint, position bigint,
                                        role text, delivery text, id text, content text, detail jsonb, for_people boolean, chat_id bigint,
                                        thread_id bigint, sender_id bigint, sender_name text, reply_to bigint, sent_at bigint,
                                        origin text, sender_chat_id bigint, author jsonb)
cross join lateral (select l.lane_id, l.conversation_id, l.chat_id from postrider.lane l
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
    select t.*, m.place, m.lane_id as lane
    from json_to_recordset($1::json) as t(i int, lane_id bigint, lane_key text, job_id bigint, position bigint,
                                            delivery text, telegram_message_id bigint)
    cross join lateral (select m.ctid as place, m.lane_id from postrider.message m
                        where m.lane_id = case when t.lane_key is null then t.lane_id
                                               else (select k.lane_id from postrider.lane k where k.lane_key = t.lane_key) end and m.job_id = t.job_id and m.position = t.position offset 0) m
)
update postrider.message m
set delivery = w.delivery, telegram_message_id = coalesce(w.telegram_message_id, m.telegram_message_id)
from w
where m.ctid = any(array(select place from w)) and m.lane_id + 0 = w.lane and m.job_id + 0 = w.job_id and m.position = w.position
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
    76,
    rows_and_range};

// Behind the effects as well, and before what is left is closed.
constexpr statement drop_unsent_messages{
    "drop_unsent",
    "select t.i, postrider.drop_unsent(t.job_id) "
    "from json_to_recordset($1::json) as t(i int, job_id bigint)",
    75};

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
// A look for memories is answered beside the message that began the turn, as memory_outlook_from() reads it: a plain
// turn pays no statement for them.
constexpr statement history{
    "read_history",
    R"(
select t.i, m.*
from json_to_recordset($1::json) as t(i int, lane_id bigint, conversation_id bigint, job_id bigint, newest int,
                                        past_lane bigint, past_before bigint,
                                        look_user bigint, look_chat bigint, look_bot bigint, look_older int)
left join lateral (
    select c.job_id, c.position from postrider.message c
    where c.lane_id = coalesce(t.past_lane, t.lane_id) and c.job_id < coalesce(t.past_before, t.job_id)
      and c.job_id > t.conversation_id
      and c.conversation_id = t.conversation_id
      and postrider.was_said(c.role, c.detail)
    order by c.job_id desc, c.position desc offset greatest(t.newest - 1, 0) limit 1) oldest on true
cross join lateral (
    (select m.job_id, m.position, m.role, m.content, m.detail, m.sender_id, null::text as timezone, null::text as language,
            null::json as memories
     from postrider.message m
     where m.lane_id = coalesce(t.past_lane, t.lane_id) and m.job_id < coalesce(t.past_before, t.job_id)
       and m.job_id > t.conversation_id
       and m.conversation_id = t.conversation_id and m.removed_at is null
       and (m.job_id, m.position) >= (coalesce(oldest.job_id, 0), coalesce(oldest.position, 0))
     order by m.job_id desc, m.position desc
     limit case when t.newest > 0 then least(t.newest * 20, t.newest + 10000) else 0 end)
    union all
    (select m.job_id, m.position, m.role, coalesce(m.earlier -> 0 ->> 'content', m.content), m.detail, m.sender_id, p.timezone, p.language,
            case when m.position = 0 and t.look_older is not null then (
                select json_build_array(
                    exists (select from postrider.memory x
                            where x.user_id = t.look_user and x.chat_id = t.look_chat and x.bot_id = t.look_bot),
                    exists (select from postrider.memory x
                            where x.user_id = t.look_user and x.chat_id = t.look_chat and x.bot_id = t.look_bot
                              and x.embedding_model is null and x.embedding_refused is null),
                    g.job_id, g.position, g.waits, o.messages, o.bytes)
                from (select coalesce(max(r.job_id), 0) as job_id, coalesce(max(r.position), -1) as position,
                             coalesce(bool_or(r.retry_at > postrider.now()), false) as waits
                      from postrider.memory_progress r where r.lane_id = coalesce(t.past_lane, t.lane_id)) g
                cross join lateral (
                    select count(*) as messages, coalesce(sum(c.bytes), 0)::bigint as bytes
                    from (select octet_length(c.content) as bytes from postrider.message c
                          where c.lane_id = coalesce(t.past_lane, t.lane_id) and (c.job_id, c.position) > (g.job_id, g.position)
                            and (c.job_id, c.position) < (coalesce(oldest.job_id, t.conversation_id), coalesce(oldest.position, 0))
                            and c.conversation_id <> 0 and c.removed_at is null and c.content <> ''
                            and postrider.was_said(c.role, c.detail) and not g.waits
                          order by c.job_id, c.position limit t.look_older) c) o) end
     from postrider.message m left join postrider.person p on p.user_id = m.sender_id
     where m.lane_id = t.lane_id and m.job_id = t.job_id)
) m
)",
    10};

constexpr statement heard{
    "read_heard",
    R"(
select t.i, m.*
from json_to_recordset($1::json) as t(i int, lane_id bigint, job_id bigint, newest int)
cross join lateral (
    select m.job_id, m.position, m.role, m.content, m.detail, m.sender_id, p.timezone, p.language
    from (select m.* from postrider.message m
          where m.lane_id = t.lane_id and m.job_id <= t.job_id and m.role = 'user'
          order by m.job_id desc, m.position desc limit t.newest) m
    left join postrider.person p on p.user_id = m.sender_id) m
)",
    10};

constexpr std::size_t outlook_column = 9; // of `history`

json_row said(message_row const& row) {
    json_row written{{"lane_id", base::raw(row.lane)}};
    add_said(written, row);
    return written;
}

std::vector<message_row> read_messages(
    rows const& message_rows, lane_id lane, conversation_id conversation
) {
    std::vector<message_row> messages;
    messages.reserve(message_rows.size());
    for (auto const& row : message_rows) {
        message_row message;
        message.lane = lane;
        message.conversation = conversation;
        message.job = row.id<job_id>(1);
        message.position = row.int64(2);
        message.role = row.text(3);
        message.content = row.text(4);
        if (!row.null(5)) message.detail = row.json(5);
        if (!row.null(6)) message.sender = row.id<user_id>(6);
        message.sender_settings.timezone = row.optional_text(7).value_or("");
        message.sender_settings.language = row.optional_text(8).value_or("");
        messages.push_back(std::move(message));
    }
    std::ranges::reverse(messages); // they come newest first, the worst order to sort
    std::ranges::sort(messages, {}, [](auto const& m) { return std::tuple(m.job, m.position); });
    return messages;
}

} // namespace

void add_said(json_row& to, message_row const& row) {
    to.add({"role", row.role});
    to.add({"id", row.id});
    to.add({"content", row.content});
    if (row.telegram_message) to.add({"telegram_message_id", base::raw(*row.telegram_message)});
    if (row.chat) to.add({"chat_id", base::raw(*row.chat)});
    if (row.thread != thread_id{}) to.add({"thread_id", base::raw(row.thread)});
    if (row.sender) to.add({"sender_id", base::raw(*row.sender)});
    if (!row.sender_name.empty()) to.add({"sender_name", row.sender_name});
    if (row.reply_to) to.add({"reply_to", base::raw(*row.reply_to)});
    if (row.sent_at) to.add({"sent_at", row.sent_at->time_since_epoch().count()});
    if (row.origin) to.add({"origin", to_string(*row.origin)});
    if (row.sender_chat) to.add({"sender_chat_id", base::raw(*row.sender_chat)});
    if (auto const author = to_json(row.author); !author.is_null()) to.add({"author", author});
}

write add_message(message_row const& row) {
    auto written = said(row);
    written.add({"job_id", base::raw(row.job)});
    written.add({"conversation_id", row.for_people ? 0 : base::raw(row.conversation)});
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
    if (row.for_people) written.add({"for_people", true});
    if (!row.detail.is_null()) written.add({"detail", row.detail});
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

write drop_unsent(job_id job) {
    return {&drop_unsent_messages, json_row{{"job_id", base::raw(job)}}.text()};
}

base::awaitable<base::result<turn_history>> read_history(
    batcher& reads,
    lane_id lane,
    conversation_id conversation,
    job_id job,
    int limit,
    base::duration deadline,
    std::optional<turn_place> stands_at,
    std::optional<memory_look> look
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
    if (look) add_look(row, *look);
    write request{&history, std::move(row).text()};
    auto answer = co_await query(reads, std::move(request), deadline);
    if (!answer) co_return answer.error();
    turn_history read{read_messages(*answer, lane, conversation)};
    for (auto const& entry : *answer)
        if (!entry.null(outlook_column))
            read.memories = memory_outlook_from(entry.json(outlook_column));
    co_return read;
}

base::awaitable<base::result<std::vector<message_row>>> read_heard(
    batcher& reads, lane_id lane, job_id job, int limit, base::duration deadline
) {
    json_row row{{"lane_id", base::raw(lane)}, {"job_id", base::raw(job)}, {"newest", limit}};
    write request{&heard, std::move(row).text()};
    auto answer = co_await query(reads, std::move(request), deadline);
    if (!answer) co_return answer.error();
    co_return read_messages(*answer, lane, {});
}

} // namespace postrider::storage
