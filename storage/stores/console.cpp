#include "storage/stores/console.hpp"

#include "base/json/row.hpp"
#include "storage/execute.hpp"

namespace postrider::storage {

namespace {

// $4 in seconds.
constexpr statement insert_console_link{"console.add_link", R"sql(
insert into postrider.console_link (user_id, role, sha256, expires_at)
values ($1::bigint, $2, decode($3, 'hex'), postrider.now() + make_interval(secs => $4::float8))
returning postrider.iso(expires_at))sql"};

// The row's lock makes the second of two requests see that the link is used.
constexpr statement use_console_link{"console.use_link", R"sql(
update postrider.console_link set used_at = postrider.now()
where sha256 = decode($1, 'hex') and used_at is null and expires_at > postrider.now()
returning user_id, role)sql"};

#define POSTRIDER_CONSOLE_SESSION                                                                  \
    "session_id, role, user_id, postrider.iso(created_at), postrider.iso(last_seen_at), "          \
    "postrider.iso(expires_at)"

// $1 all, $2 the person, $3 the session of one's own, $4 the roles: which sessions somebody may see.
#define POSTRIDER_CONSOLE_SCOPE                                                                    \
    "expires_at > postrider.now() and revoked_at is null "                                         \
    "and ($1::boolean or (role = any($4::text[]) "                                                 \
    "and (user_id = $2::bigint or session_id = $3::bigint)))"

// $4 and $5 in seconds.
constexpr statement insert_console_session{
    "console.add_session",
    "insert into postrider.console_session (user_id, role, sha256, expires_at, ends_at) "
    "values ($1::bigint, $2, decode($3, 'hex'), "
    "postrider.now() + make_interval(secs => $4::float8), "
    "postrider.now() + make_interval(secs => $5::float8)) returning " POSTRIDER_CONSOLE_SESSION};

constexpr statement select_console_sessions{
    "console.list_sessions",
    "select " POSTRIDER_CONSOLE_SESSION
    " from postrider.console_session where " POSTRIDER_CONSOLE_SCOPE
    " and session_id < coalesce($5::bigint, 9223372036854775807) "
    "order by session_id desc limit $6::bigint"};

constexpr statement revoke_session{
    "console.revoke",
    "update postrider.console_session set revoked_at = postrider.now(), "
    "expires_at = postrider.now() where " POSTRIDER_CONSOLE_SCOPE
    " and session_id = $5::bigint returning session_id"};

constexpr statement revoke_every_session{"console.revoke_all", R"sql(
with revoked as (
    update postrider.console_session set revoked_at = postrider.now(), expires_at = postrider.now()
    where expires_at > postrider.now()
    returning 1)
select count(*) from revoked)sql"};

constexpr statement leave_session{
    "console.leave",
    "update postrider.console_session set revoked_at = postrider.now(), "
    "expires_at = postrider.now() where sha256 = decode($1, 'hex') "
    "and expires_at > postrider.now() returning " POSTRIDER_CONSOLE_SESSION};

constexpr statement find_sessions{"console.find", R"sql(
select t.i, s.*
from json_to_recordset($1::json) as t(i int, sha256 text)
cross join lateral (
    select session_id, user_id, role, expires_at <= postrider.now() or revoked_at is not null,
           last_seen_at >= date_trunc('minute', postrider.now())
    from postrider.console_session s where s.sha256 = decode(t.sha256, 'hex') offset 0) s)sql"};

// Once a minute at most. $2 in seconds.
constexpr statement note_sessions{"console.note", R"sql(
update postrider.console_session
set last_seen_at = date_trunc('minute', postrider.now()),
    expires_at = least(ends_at, date_trunc('minute', postrider.now()) + make_interval(secs => $2::float8))
where session_id = any($1::bigint[]) and expires_at > postrider.now() and revoked_at is null
  and last_seen_at < date_trunc('minute', postrider.now()))sql"};

constexpr statement select_session_expiry{
    "console.expiry",
    "select postrider.iso(expires_at) from postrider.console_session "
    "where session_id = $1::bigint"};

param user_or_null(user_id user) {
    return user == user_id{} ? param(std::nullopt) : param(user);
}

token_role console_role(row const& from, std::size_t column) {
    auto const role = token_role_from_string(from.text(column));
    if (!role || !opens_console(*role)) throw database_error("a session has no known role");
    return *role;
}

user_id user_or_nobody(row const& from, std::size_t column) {
    return user_id{from.optional_int64(column).value_or(0)};
}

console_session session_from(row const& from) {
    console_session session;
    session.id = from.id<console_session_id>(0);
    session.role = console_role(from, 1);
    session.user = user_or_nobody(from, 2);
    session.created_at = from.text(3);
    session.last_seen_at = from.text(4);
    session.expires_at = from.text(5);
    return session;
}

// Those that open the console and are not above the role, as a parameter of type text[].
std::string_view roles_up_to(token_role role) {
    switch (role) {
    case token_role::owner:
        return "{owner,editor,reader}";
    case token_role::editor:
        return "{editor,reader}";
    case token_role::reader:
        return "{reader}";
    case token_role::user:
        break;
    }
    return "{}";
}

std::vector<param> params_of(console_scope const& scope) {
    return {scope.all, user_or_null(scope.user), scope.own, roles_up_to(scope.role)};
}

} // namespace

bool opens_console(token_role role) noexcept {
    return role != token_role::user;
}

std::string add_console_link(transaction& tx, new_console_link const& link) {
    return tx
        .query(
            insert_console_link,
            {user_or_null(link.user),
             to_string(link.role),
             link.sha256,
             std::int64_t{console_link_lifetime.count()}}
        )
        .at(0)
        .text(0);
}

std::optional<console_session> open_console_session(
    transaction& tx, std::string_view link_sha256, std::string_view session_sha256
) {
    auto const links = tx.query(use_console_link, {link_sha256});
    if (links.empty()) return std::nullopt;
    auto const& link = links.front();
    return session_from(tx.query(
                              insert_console_session,
                              {user_or_null(user_or_nobody(link, 0)),
                               link.text(1),
                               session_sha256,
                               std::int64_t{console_session_idle.count()},
                               std::int64_t{console_session_longest.count()}}
    ).at(0));
}

std::vector<console_session> list_console_sessions(
    transaction& tx, console_scope const& scope, std::optional<console_session_id> below, int limit
) {
    auto with = params_of(scope);
    with.push_back(below ? param(*below) : param(std::nullopt));
    with.push_back(limit);
    std::vector<console_session> sessions;
    for (auto const& row : tx.query(select_console_sessions, with))
        sessions.push_back(session_from(row));
    return sessions;
}

bool revoke_console_session(transaction& tx, console_scope const& scope, console_session_id id) {
    auto with = params_of(scope);
    with.push_back(id);
    return !tx.query(revoke_session, with).empty();
}

std::int64_t revoke_all_console_sessions(transaction& tx) {
    return tx.query(revoke_every_session).at(0).int64(0);
}

std::optional<console_session> leave_console_session(transaction& tx, std::string_view sha256) {
    auto const left = tx.query(leave_session, {sha256});
    if (left.empty()) return std::nullopt;
    return session_from(left.front());
}

write find_console_session(std::string_view sha256) {
    return {&find_sessions, base::json_row{{"sha256", sha256}}.text()};
}

presented_session read_console_session(row const& returned) {
    return {
        .id = returned.id<console_session_id>(1),
        .user = user_or_nobody(returned, 2),
        .role = console_role(returned, 3),
        .over = returned.boolean(4),
        .seen_noted = returned.boolean(5),
    };
}

base::awaitable<base::result<void>> note_console_sessions(
    database& db, std::vector<console_session_id> const& seen, base::duration deadline
) {
    std::string ids;
    for (auto const id : seen) ids += (ids.empty() ? "" : ",") + base::to_string(id);
    std::vector<param> params{"{" + ids + "}", std::int64_t{console_session_idle.count()}};
    return execute(db, note_sessions, std::move(params), deadline);
}

std::optional<std::string> session_expiry(transaction& tx, console_session_id id) {
    auto const found = tx.query(select_session_expiry, {id});
    return found.empty() ? std::nullopt : found.front().optional_text(0);
}

} // namespace postrider::storage
