#include "storage/stores/tokens.hpp"

#include "base/json/row.hpp"
#include "base/names.hpp"
#include "base/utf8.hpp"
#include "storage/execute.hpp"

#include <algorithm>

namespace postrider::storage {

namespace {

constexpr base::names<token_role, 4> roles{{
    {token_role::owner, "owner"},
    {token_role::editor, "editor"},
    {token_role::user, "user"},
    {token_role::reader, "reader"},
}};

// $5 in seconds, or null.
constexpr statement insert_token{"tokens.insert", R"sql(
insert into postrider.token (user_id, role, name, sha256, expires_at)
values ($1, $2, $3, decode($4, 'hex'), postrider.now() + make_interval(secs => $5::float8))
returning token_id, user_id, role, name, postrider.iso(created_at), postrider.iso(last_used_at),
          postrider.iso(expires_at), postrider.iso(revoked_at), coalesce(expires_at <= postrider.now(), false))sql"};

constexpr statement select_tokens{"tokens.list", R"sql(
select token_id, user_id, role, name, postrider.iso(created_at), postrider.iso(last_used_at),
       postrider.iso(expires_at), postrider.iso(revoked_at), coalesce(expires_at <= postrider.now(), false)
from postrider.token
where token_id < coalesce($1::bigint, 9223372036854775807)
order by token_id desc
limit $2::bigint)sql"};

constexpr statement revoke{"tokens.revoke", R"sql(
update postrider.token set revoked_at = coalesce(revoked_at, postrider.now())
where token_id = $1
returning token_id, user_id, role, name, postrider.iso(created_at), postrider.iso(last_used_at),
          postrider.iso(expires_at), postrider.iso(revoked_at), coalesce(expires_at <= postrider.now(), false))sql"};

constexpr statement find_tokens{"tokens.find", R"sql(
select t.i, k.*
from json_to_recordset($1::json) as t(i int, sha256 text)
cross join lateral (
    select token_id, user_id, role, revoked_at is not null, coalesce(expires_at <= postrider.now(), false),
           coalesce(last_used_at >= date_trunc('minute', postrider.now()), false)
    from postrider.token k where k.sha256 = decode(t.sha256, 'hex') offset 0) k)sql"};

// Once a minute at most: reading must not cost a write each.
constexpr statement note_use{"tokens.note_use", R"sql(
update postrider.token set last_used_at = date_trunc('minute', postrider.now())
where token_id = $1 and revoked_at is null and (expires_at is null or expires_at > postrider.now())
  and (last_used_at is null or last_used_at < date_trunc('minute', postrider.now())))sql"};

constexpr statement select_token_expiry{
    "tokens.expiry",
    "select postrider.iso(expires_at) from postrider.token where token_id = $1::bigint"};

constexpr statement select_key{
    "tokens.key", "select encode(mac_key, 'hex') from postrider.token_key"};

token_role role_in(row const& from, std::size_t column) {
    auto const role = token_role_from_string(from.text(column));
    if (!role) throw database_error("a token has no known role");
    return *role;
}

token_row token_from(row const& from) {
    token_row row;
    row.id = from.id<token_id>(0);
    row.user = from.id<user_id>(1);
    row.role = role_in(from, 2);
    row.name = from.text(3);
    row.created_at = from.text(4);
    row.last_used_at = from.optional_text(5);
    row.expires_at = from.optional_text(6);
    row.revoked_at = from.optional_text(7);
    row.expired = from.boolean(8);
    return row;
}

std::optional<token_row> first(rows const& found) {
    if (found.empty()) return std::nullopt;
    return token_from(found.front());
}

} // namespace

std::string_view to_string(token_role role) noexcept {
    return base::name_of(roles, role);
}

std::optional<token_role> token_role_from_string(std::string_view name) noexcept {
    return base::named(roles, name);
}

bool fits_token_name(std::string_view name) noexcept {
    return base::count_characters(name) <= token_name_limit;
}

base::secret read_token_key(transaction& tx) {
    return base::secret(tx.query(select_key).at(0).text(0));
}

token_row add_token(transaction& tx, new_token const& token) {
    param lifetime = std::nullopt;
    if (token.lifetime) lifetime = std::int64_t{token.lifetime->count()};
    return token_from(tx.query(
                            insert_token,
                            {token.user, to_string(token.role), token.name, token.sha256, lifetime}
    )
                          .at(0));
}

std::vector<token_row> list_tokens(transaction& tx, std::optional<token_id> below, int limit) {
    std::vector<token_row> tokens;
    auto const first_below = below ? param(*below) : param(std::nullopt);
    for (auto const& row : tx.query(select_tokens, {first_below, limit}))
        tokens.push_back(token_from(row));
    return tokens;
}

std::optional<token_row> revoke_token(transaction& tx, token_id id) {
    return first(tx.query(revoke, {id}));
}

std::optional<std::string> token_expiry(transaction& tx, token_id id) {
    auto const found = tx.query(select_token_expiry, {id});
    return found.empty() ? std::nullopt : found.front().optional_text(0);
}

write find_token(std::string_view sha256) {
    return {&find_tokens, base::json_row{{"sha256", sha256}}.text()};
}

presented_token read_token(row const& returned) {
    return {
        .id = returned.id<token_id>(1),
        .user = returned.id<user_id>(2),
        .role = role_in(returned, 3),
        .revoked = returned.boolean(4),
        .expired = returned.boolean(5),
        .use_noted = returned.boolean(6),
    };
}

base::awaitable<base::result<void>> note_token_use(
    database& db, token_id id, base::duration deadline
) {
    std::vector<param> params{id};
    return execute(db, note_use, std::move(params), deadline);
}

} // namespace postrider::storage
