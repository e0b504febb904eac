#include "storage/stores/mcp_sessions.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

namespace postrider::storage {

namespace {

constexpr statement insert_mcp_session{
    "add_mcp_sessions",
    R"(
insert into postrider.mcp_session (session_id, user_id, revision)
select session_id, user_id, revision from json_to_recordset($1::json) as t(i int, session_id text, user_id bigint, revision text)
on conflict do nothing
)",
    21};

constexpr statement delete_mcp_session{
    "end_mcp_sessions",
    R"(
with r as materialized (
    select * from json_to_recordset($1::json) as t(i int, session_id text, user_id bigint)
), ended as (
    delete from postrider.mcp_session where ctid = any(array(
        select x.place from (select distinct session_id, user_id from r) d cross join lateral (
            select s.ctid as place from postrider.mcp_session s
            where s.session_id = d.session_id and s.user_id = d.user_id offset 0) x))
    returning session_id || ' ' || user_id as name
)
select r.i from r join ended e on e.name = r.session_id || ' ' || r.user_id
)",
    22};

constexpr statement select_mcp_session{
    "find_mcp_sessions",
    R"(
select t.i, s.revision
from json_to_recordset($1::json) as t(i int, session_id text, user_id bigint)
cross join lateral (select s.revision from postrider.mcp_session s
                    where s.session_id = t.session_id and s.user_id = t.user_id
                      and s.created_at >= postrider.now() - interval '7 days' offset 0) s
)"};

} // namespace

write add_mcp_session(std::string_view id, user_id user, std::string_view revision) {
    base::json_row row{{"session_id", id}, {"user_id", base::raw(user)}, {"revision", revision}};
    return {&insert_mcp_session, std::move(row).text()};
}

write end_mcp_session(std::string_view id, user_id user) {
    return {
        &delete_mcp_session,
        base::json_row{{"session_id", id}, {"user_id", base::raw(user)}}.text()};
}

base::awaitable<base::result<std::string>> find_mcp_revision(
    batcher& reads, std::string id, user_id user, base::duration deadline
) {
    base::json_row row{{"session_id", id}, {"user_id", base::raw(user)}};
    write request{&select_mcp_session, std::move(row).text()};
    auto const found = co_await query(reads, std::move(request), deadline);
    if (!found) co_return found.error();
    if (found->empty()) co_return base::errc::not_found;
    co_return found->front().text(1);
}

} // namespace postrider::storage
