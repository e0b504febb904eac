#include "agent/spam/store/catches.hpp"

#include "base/json/json.hpp"
#include "base/json/row.hpp"
#include "base/names.hpp"
#include "base/utf8.hpp"
#include "storage/query.hpp"

#include <algorithm>

namespace postrider::agent::spam {

namespace {

constexpr base::names<catch_action, 4> catch_actions{
    {{catch_action::dry_run, "dry_run"},
     {catch_action::remove, "delete"},
     {catch_action::restrict, "restrict"},
     {catch_action::ban, "ban"}}};

// A strike with each new catch that counts; the newest 20 are kept. What a dry run or members' reports caught is caught anew by what
// does something.
constexpr storage::statement record_catches{
    "record_catches",
    R"(
with fresh as (
    insert into postrider.spam_catch as c (chat_id, message_id, user_id, bot_id, sender_chat_id, name, album, action, strikes, verdict,
                                           content, caught_by)
    select distinct on (t.chat_id, t.message_id, t.user_id) t.chat_id, t.message_id, t.user_id, t.bot_id, t.sender_chat_id, t.name,
           nullif(t.album, ''), t.action, t.strikes, nullif(t.verdict, 'null'), t.content, t.whose
    from json_to_recordset($1::json) as t(i int, chat_id bigint, message_id bigint, user_id bigint, bot_id bigint, sender_chat_id bigint,
                                          name text, album text, action text, strikes int, verdict jsonb, content text, whose text,
                                          is_strike boolean)
    order by t.chat_id, t.message_id, t.user_id, t.action = 'dry_run', t.i
    on conflict (chat_id, message_id, user_id) do update
    set action = excluded.action, strikes = excluded.strikes, verdict = excluded.verdict, content = excluded.content,
        caught_by = excluded.caught_by, undone_at = null, undone_by = null
    where c.action = 'dry_run' and excluded.action <> 'dry_run'
    returning c.chat_id, c.message_id, c.user_id
), seen as (
    update postrider.spam_verdict v set is_caught = true from fresh f
    where v.chat_id = f.chat_id and v.message_id = f.message_id and v.user_id = f.user_id and not v.is_caught
), struck as (
    select f.chat_id, f.user_id, array_agg(postrider.now()) as strikes
    from fresh f
    where exists (select from json_to_recordset($1::json) as t(chat_id bigint, message_id bigint, user_id bigint, is_strike boolean)
                  where t.chat_id = f.chat_id and t.message_id = f.message_id and t.user_id = f.user_id and t.is_strike)
    group by f.chat_id, f.user_id
)
insert into postrider.spam_member as m (chat_id, user_id, strikes)
select s.chat_id, s.user_id, s.strikes from struck s order by s.chat_id, s.user_id
on conflict (chat_id, user_id) do update
set strikes = (m.strikes || excluded.strikes)[greatest(cardinality(m.strikes) + cardinality(excluded.strikes) - 19, 1):]
)",
    78};

constexpr storage::statement note_admin_messages{
    "note_admin_messages",
    R"(
update postrider.spam_catch c set admin_chat_id = t.admin_chat_id, admin_message_id = t.admin_message_id
from json_to_recordset($1::json) as t(i int, chat_id bigint, message_id bigint, user_id bigint, admin_chat_id bigint,
                                      admin_message_id bigint)
where c.chat_id = t.chat_id and c.message_id = t.message_id and c.user_id = t.user_id
)",
    85};

// Of an album all parts, which have a row each.
constexpr storage::statement undo_catches{
    "undo_catches",
    R"(
with t as materialized (
    select t.* from json_to_recordset($1::json) as t(i int, chat_id bigint, message_id bigint, user_id bigint, whose text)
), undone as materialized (
    select t.chat_id, t.message_id, t.user_id, t.whose from t
    union
    select p.chat_id, p.message_id, p.user_id, t.whose from t
    cross join lateral (select c.album from postrider.spam_catch c
                        where c.chat_id = t.chat_id and c.message_id = t.message_id and c.user_id = t.user_id offset 0) c
    cross join lateral (select p.chat_id, p.message_id, p.user_id from postrider.spam_catch p
                        where p.chat_id = t.chat_id and p.album = c.album and p.album is not null offset 0) p
)
update postrider.spam_catch c set undone_at = postrider.now(), undone_by = u.whose
from undone u
where c.chat_id = any(array(select chat_id from undone)) and c.message_id = any(array(select message_id from undone))
  and c.chat_id + 0 = u.chat_id and c.message_id + 0 = u.message_id and c.user_id = u.user_id and c.undone_at is null
)",
    86};

constexpr storage::statement raise_catches{
    "raise_catches",
    R"(
update postrider.spam_catch c set action = 'ban', undone_at = null, undone_by = null, refused = null
from json_to_recordset($1::json) as t(i int, chat_id bigint, message_id bigint, user_id bigint)
where c.chat_id = t.chat_id and c.message_id = t.message_id and c.user_id = t.user_id
)",
    87};

constexpr storage::statement note_refusals{
    "note_refusals",
    R"(
update postrider.spam_catch c set refused = t.refused
from json_to_recordset($1::json) as t(i int, chat_id bigint, message_id bigint, user_id bigint, refused text)
where c.chat_id = t.chat_id and c.message_id = t.message_id and c.user_id = t.user_id
)",
    89};

constexpr storage::statement settle_refusals{
    "settle_refusals",
    R"(
update postrider.spam_catch c set refused = null
from json_to_recordset($1::json) as t(i int, chat_id bigint, user_id bigint)
where c.user_id = t.user_id and postrider.current_chat(c.chat_id) = postrider.current_chat(t.chat_id) and c.refused is not null
)",
    91};

constexpr storage::statement select_catch_record{
    "catch_record",
    R"(
select t.i,
       (select count(*) from postrider.spam_member m cross join lateral unnest(m.strikes) as s(struck_at)
        where m.chat_id = t.chat_id and m.user_id = t.user_id
          and s.struck_at > postrider.now() - t.window_s * interval '1 s'),
       c.chat_id is not null,
       exists (select from postrider.spam_catch a
               where a.chat_id = t.chat_id and a.album = t.album and a.message_id <> t.message_id
                 and (a.action <> 'dry_run' or not t.acts)),
       c.admin_message_id is not null,
       exists (select from postrider.spam_member m
               where m.chat_id = t.chat_id and m.user_id = t.user_id and m.banned_at > postrider.now() - interval '10 minutes')
from json_to_recordset($1::json) as t(i int, chat_id bigint, message_id bigint, user_id bigint, album text, window_s bigint, acts boolean)
left join postrider.spam_catch c on c.chat_id = t.chat_id and c.message_id = t.message_id and c.user_id = t.user_id
  and (c.action <> 'dry_run' or not t.acts)
)",
    10};

// As catch_in() reads it, behind the number of the row.
#define POSTRIDER_CATCH                                                                            \
    "c.chat_id, c.message_id, c.user_id, c.bot_id, c.sender_chat_id, c.name, coalesce(c.album, "   \
    "''), c.action, c.strikes, c.verdict, c.content, c.caught_by, c.undone_by, c.admin_chat_id, "  \
    "c.admin_message_id"

constexpr storage::statement select_catch{
    "read_catch",
    "select t.i, " POSTRIDER_CATCH R"(
from json_to_recordset($1::json) as t(i int, chat_id bigint, message_id bigint, user_id bigint)
join postrider.spam_catch c on c.chat_id = t.chat_id and c.message_id = t.message_id and c.user_id = t.user_id
)",
    10};

constexpr storage::statement select_catch_of_message{"spam.catch", "select 0, " POSTRIDER_CATCH R"(
from postrider.spam_catch c where c.chat_id = $1::bigint and c.message_id = $2::bigint order by c.caught_at limit 1)"};

// A channel is banned, too, where it should be restricted.
constexpr storage::statement select_bans{"spam.bans", "select 0, " POSTRIDER_CATCH R"(
from postrider.spam_catch c
where c.user_id = $2::bigint and postrider.current_chat(c.chat_id) = postrider.current_chat($1::bigint) and c.undone_at is null
  and (c.action = 'ban' or c.action = 'restrict' and c.sender_chat_id is not null)
order by c.caught_at desc limit 20)"};

base::json_row key_row(catch_key const& key) {
    return {
        {"chat_id", base::raw(key.chat)},
        {"message_id", base::raw(key.message)},
        {"user_id", base::raw(key.author)},
    };
}

stored_catch catch_in(storage::row const& row) {
    stored_catch stored;
    stored.is_stored = true;
    auto& caught = stored.caught;
    caught.key = {row.id<chat_id>(1), row.id<telegram_message_id>(2), row.id<user_id>(3)};
    caught.bot = row.id<bot_id>(4);
    if (auto const chat = row.optional_int64(5)) caught.sender_chat = chat_id{*chat};
    caught.name = row.text(6);
    caught.album = row.text(7);
    caught.action = base::named(catch_actions, row.view(8)).value();
    caught.strikes = static_cast<int>(row.int64(9));
    if (!row.null(10)) caught.verdict = row.json(10);
    caught.text = row.text(11);
    caught.caught_by = row.text(12);
    stored.undone_by = row.optional_text(13);
    if (auto const chat = row.optional_int64(14)) stored.admin_chat = chat_id{*chat};
    stored.admin_message = telegram_message_id{row.optional_int64(15).value_or(0)};
    return stored;
}

} // namespace

std::string_view name_of(catch_action action) noexcept {
    return base::name_of(catch_actions, action);
}

std::optional<catch_action> catch_action_named(std::string_view name) noexcept {
    return base::named(catch_actions, name);
}

storage::write catch_row(caught_message const& caught, bool is_strike) {
    auto const text = base::as_utf8(caught.text);
    auto row = key_row(caught.key);
    row.add({"bot_id", base::raw(caught.bot)});
    if (caught.sender_chat) row.add({"sender_chat_id", base::raw(*caught.sender_chat)});
    row.add({"name", caught.name});
    row.add({"album", caught.album});
    row.add({"action", name_of(caught.action)});
    row.add({"strikes", caught.strikes});
    row.add({"verdict", caught.verdict});
    row.add({"content", text});
    row.add({"whose", caught.caught_by});
    row.add({"is_strike", is_strike});
    return {&record_catches, std::move(row).text()};
}

storage::write told_row(catch_key const& key, chat_id admin_chat, telegram_message_id message) {
    auto row = key_row(key);
    row.add({"admin_chat_id", base::raw(admin_chat)});
    row.add({"admin_message_id", base::raw(message)});
    return {&note_admin_messages, std::move(row).text()};
}

storage::write undone_row(catch_key const& key, std::string_view by_word_of) {
    auto row = key_row(key);
    row.add({"whose", by_word_of});
    return {&undo_catches, std::move(row).text()};
}

storage::write banned_row(catch_key const& key) {
    return {&raise_catches, key_row(key).text()};
}

storage::write refused_row(catch_key const& key, std::string_view reason) {
    auto row = key_row(key);
    row.add({"refused", reason});
    return {&note_refusals, std::move(row).text()};
}

storage::write settled_refusals_row(chat_id chat, user_id author) {
    base::json_row row{{"chat_id", base::raw(chat)}, {"user_id", base::raw(author)}};
    return {&settle_refusals, std::move(row).text()};
}

base::awaitable<base::result<catch_record>> look_for_catch(
    storage::batcher& reads,
    catch_key key,
    std::string album,
    std::chrono::seconds window,
    bool acts,
    base::duration deadline
) {
    auto row = key_row(key);
    row.add({"acts", acts});
    if (!album.empty()) row.add({"album", album});
    row.add({"window_s", window.count()});
    storage::write look{&select_catch_record, std::move(row).text()};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    auto const& found_row = rows->front();
    co_return catch_record{
        .strikes = static_cast<int>(found_row.int64(1)),
        .is_caught = found_row.boolean(2),
        .is_of_album = found_row.boolean(3),
        .is_told = found_row.boolean(4),
        .is_banned = found_row.boolean(5)};
}

std::optional<stored_catch> find_catch(
    storage::transaction& tx, chat_id chat, telegram_message_id message
) {
    auto const rows = tx.query(select_catch_of_message, {chat, message});
    if (rows.empty()) return std::nullopt;
    return catch_in(rows.front());
}

std::vector<caught_message> find_bans(storage::transaction& tx, chat_id chat, user_id author) {
    std::vector<caught_message> bans;
    for (auto const& row : tx.query(select_bans, {chat, author}))
        bans.push_back(catch_in(row).caught);
    return bans;
}

base::awaitable<base::result<std::optional<stored_catch>>> read_catch(
    storage::batcher& reads, catch_key key, base::duration deadline
) {
    storage::write look{&select_catch, key_row(key).text()};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    std::optional<stored_catch> stored;
    if (!rows->empty()) stored = catch_in(rows->front());
    co_return stored;
}

} // namespace postrider::agent::spam
