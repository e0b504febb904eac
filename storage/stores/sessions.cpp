#include "storage/stores/sessions.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"
#include "storage/stores/audit.hpp"

namespace postrider::storage {

namespace {

// A commit whose answer was lost is sent again: the rows may stand already.
constexpr statement insert_session_message{
    "add_to_session",
    R"(
insert into postrider.session_message (session, job_id, position, role, content, detail)
select session, job_id, position, role, content, detail
from json_to_recordset($1::json) as t(i int, session text, job_id bigint, position bigint, role text, content text,
                                        detail jsonb)
on conflict do nothing
)",
    51};

// The message keeps whoever clears the session waiting, or is gone.
constexpr statement insert_summary{
    "add_summary",
    R"(
insert into postrider.session_message (session, job_id, position, role, content, detail)
select t.session, t.job_id, t.position, t.role, t.content, t.detail
from json_to_recordset($1::json) as t(i int, session text, job_id bigint, position bigint, role text, content text,
                                      detail jsonb)
cross join lateral (select from postrider.session_message m
                    where m.session = t.session and m.job_id = t.job_id and m.position < t.position
                    order by m.position limit 1 for key share) covered
on conflict do nothing
)",
    53};

// Behind what the same commit adds: that was said before.
constexpr statement delete_session_messages{
    "clear_session",
    R"(
delete from postrider.session_message where session = any(array(
    select session from json_to_recordset($1::json) as t(i int, session text)))
)",
    52};

// Never of the job that asks: each of its runs reads the same. A row that another transaction deletes
// is its own; what is left of a long session goes with later commits.
constexpr statement trim{
    "trim_session",
    R"(
delete from postrider.session_message where ctid = any(array(
    select gone.ctid
    from (select distinct session, but_for, newest
          from json_to_recordset($1::json) as t(i int, session text, but_for bigint, newest int)) t
    cross join lateral (select m.job_id, m.position from postrider.session_message m
                        where m.session = t.session and m.job_id <> t.but_for and postrider.was_said(m.role, m.detail)
                        order by m.job_id desc, m.position desc offset t.newest limit 1) fallen
    cross join lateral (select m.ctid from postrider.session_message m
                        where m.session = t.session and m.job_id <> t.but_for
                          and (m.job_id, m.position) <= (fallen.job_id, fallen.position)
                        order by m.job_id, m.position limit 1000 for update skip locked) gone))
)",
    53};

constexpr statement forget{
    "session.forget",
    R"(
with gone as (delete from postrider.session_message where session = $1 returning 1)
select count(*) from gone
)"};

// From name to name by the primary key: a session may have very many rows.
constexpr statement list_names{
    "session.names",
    R"(
with recursive name as (
    (select session from postrider.session_message where session > $1 order by session limit 1)
    union all
    select (select m.session from postrider.session_message m
            where m.session > name.session order by m.session limit 1)
    from name where name.session is not null
)
select session from name where session is not null and strpos(lower(session), lower($2)) > 0 limit $3
)"};

constexpr statement page_of_sessions{
    "session.page",
    R"(
with recursive name as (
    (select session from postrider.session_message where session > $1 order by session limit 1)
    union all
    select (select m.session from postrider.session_message m
            where m.session > name.session order by m.session limit 1)
    from name where name.session is not null
), page as materialized (
    select session from name where session is not null and strpos(lower(session), lower($2)) > 0 limit $3
)
select p.session, (select count(*) from (select from postrider.session_message m where m.session = p.session limit $4) x),
       postrider.iso(l.created_at), l.job_id
from page p
cross join lateral (select m.created_at, m.job_id from postrider.session_message m where m.session = p.session
                    order by m.job_id desc, m.position desc limit 1) l
order by p.session
)"};

constexpr statement select_session_messages{
    "read_session",
    R"(
select t.i, m.job_id, m.position, m.role, m.content, m.detail
from json_to_recordset($1::json) as t(i int, session text, but_for bigint, newest int, seen json)
cross join lateral (select array(select s::text::bigint from json_array_elements(t.seen) s) as jobs) only_of
left join lateral (select c.job_id, c.position from postrider.session_message c
                   where c.session = t.session and c.job_id <> t.but_for and postrider.was_said(c.role, c.detail)
                     and (t.seen is null or c.job_id = any(only_of.jobs))
                   order by c.job_id desc, c.position desc offset greatest(t.newest - 1, 0) limit 1) oldest on true
cross join lateral (select m.* from postrider.session_message m
                    where m.session = t.session and m.job_id <> t.but_for
                      and (t.seen is null or m.job_id = any(only_of.jobs))
                      and (m.job_id, m.position) >= (coalesce(oldest.job_id, 0), coalesce(oldest.position, 0))
                    order by m.job_id desc, m.position desc limit least(t.newest * 20, t.newest + 10000)) m
order by t.i, m.job_id, m.position
)",
    11};

std::vector<message_row> messages_of(rows const& found) {
    std::vector<message_row> messages;
    messages.reserve(found.size());
    for (auto const& row : found) {
        message_row message;
        message.job = row.id<job_id>(1);
        message.position = row.int64(2);
        message.role = row.text(3);
        message.content = row.text(4);
        if (!row.null(5)) message.detail = row.json(5);
        messages.push_back(std::move(message));
    }
    return messages;
}

std::string row_of_session(std::string_view session, message_row const& row) {
    base::json_row written{
        {"session", session},
        {"job_id", base::raw(row.job)},
        {"position", row.position},
        {"role", row.role},
        {"content", row.content},
    };
    if (!row.detail.is_null()) written.add({"detail", row.detail});
    return std::move(written).text();
}

} // namespace

write add_to_session(std::string_view session, message_row const& row) {
    return {&insert_session_message, row_of_session(session, row)};
}

write add_summary(std::string_view session, message_row const& row) {
    return {&insert_summary, row_of_session(session, row)};
}

write clear_session(std::string_view session) {
    return {&delete_session_messages, base::json_row{{"session", session}}.text()};
}

write trim_session(std::string_view session, job_id but_for, int newest) {
    base::json_row row{{"session", session}, {"but_for", base::raw(but_for)}, {"newest", newest}};
    return {&trim, std::move(row).text()};
}

std::int64_t forget_session(transaction& tx, std::string_view session) {
    auto const deleted = tx.query(forget, {session}).front().int64(0);
    if (deleted > 0)
        audit_operation(
            tx, "session_forget", {}, "session:" + std::string(session), {{"messages", deleted}}
        );
    return deleted;
}

std::vector<session_summary> list_sessions(
    transaction& tx, std::string_view search, std::string_view after, int limit
) {
    std::vector<session_summary> sessions;
    auto const found = tx.query(page_of_sessions, {after, search, limit, most_counted_messages});
    for (auto const& row : found)
        sessions.push_back({row.text(0), row.int64(1), row.text(2), row.id<job_id>(3)});
    return sessions;
}

std::vector<std::string> session_names(
    transaction& tx, std::string_view search, std::string_view after, int limit
) {
    std::vector<std::string> names;
    for (auto const& row : tx.query(list_names, {after, search, limit}))
        names.push_back(row.text(0));
    return names;
}

base::awaitable<base::result<std::vector<message_row>>> read_session(
    batcher& reads,
    std::string session,
    std::int64_t but_for,
    int limit,
    base::duration deadline,
    std::optional<boost::json::array> of_jobs
) {
    base::json_row row{{"session", session}, {"but_for", but_for}, {"newest", limit}};
    boost::json::value const jobs = of_jobs ? std::move(*of_jobs) : boost::json::value();
    if (of_jobs) row.add({"seen", jobs});
    write request{&select_session_messages, std::move(row).text()};
    auto found = co_await query(reads, std::move(request), deadline);
    if (!found) co_return found.error();
    co_return messages_of(*found);
}

} // namespace postrider::storage
