#include "agent/spam/store/outside_answers.hpp"

#include "agent/spam/normal_text.hpp"
#include "base/json/row.hpp"
#include "base/utf8.hpp"
#include "net/digest.hpp"
#include "storage/query.hpp"

namespace postrider::agent::spam {

namespace {

// Whose row says when the register gave no answer.
constexpr user_id no_answer{0};

constexpr storage::statement select_registration{
    "spam.registration",
    R"(
select t.i, r.is_registered, a.user_id is not null
from json_to_recordset($1::json) as t(i int, user_id bigint, hours int)
left join lateral (select x.is_registered from postrider.spam_registration x
                   where x.user_id = t.user_id and x.asked_at > postrider.now() - make_interval(hours => t.hours)) r on true
left join lateral (select x.user_id from postrider.spam_registration x
                   where x.user_id = 0 and x.asked_at > postrider.now() - interval '1 minute') a on true
)",
    12};

constexpr storage::statement keep_registrations{
    "spam.keep_registration",
    R"(
insert into postrider.spam_registration (user_id, is_registered)
select distinct on (t.user_id) t.user_id, t.is_registered
from json_to_recordset($1::json) as t(i int, user_id bigint, is_registered boolean)
order by t.user_id, t.i desc
on conflict (user_id) do update set is_registered = excluded.is_registered, asked_at = excluded.asked_at
)",
    59};

constexpr storage::statement select_opinion{
    "spam.opinion",
    R"(
select t.i, o.is_spam, o.reason
from json_to_recordset($1::json) as t(i int, chat_id bigint, digest text, hours int)
cross join lateral (select x.is_spam, x.reason from postrider.spam_opinion x
                    where x.chat_id = t.chat_id and x.digest = decode(t.digest, 'hex')
                      and x.given_at > postrider.now() - make_interval(hours => t.hours)) o
)",
    12};

constexpr storage::statement keep_opinions{
    "spam.keep_opinion",
    R"(
insert into postrider.spam_opinion (chat_id, digest, user_id, is_spam, reason)
select distinct on (t.chat_id, t.digest) t.chat_id, decode(t.digest, 'hex'), t.user_id, t.is_spam, t.reason
from json_to_recordset($1::json) as t(i int, chat_id bigint, digest text, user_id bigint, is_spam boolean, reason text)
order by t.chat_id, t.digest, t.i desc
on conflict (chat_id, digest) do update
set user_id = excluded.user_id, is_spam = excluded.is_spam, reason = excluded.reason, given_at = excluded.given_at
)",
    59};

} // namespace

base::awaitable<base::result<registration>> read_registration(
    storage::batcher& reads, user_id user, std::chrono::hours kept_for, base::duration deadline
) {
    base::json_row row{{"user_id", base::raw(user)}, {"hours", kept_for.count()}};
    storage::write look{&select_registration, std::move(row).text()};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    registration kept;
    for (auto const& entry : *rows) {
        if (!entry.null(1)) kept.is_registered = entry.boolean(1);
        kept.is_away = entry.boolean(2);
    }
    co_return kept;
}

storage::write registration_row(user_id user, std::optional<bool> is_registered) {
    base::json_row row{
        {"user_id", base::raw(is_registered ? user : no_answer)},
        {"is_registered", is_registered.value_or(false)}};
    return {&keep_registrations, std::move(row).text()};
}

asked_text asked_text_of(chat_id chat, user_id author, std::string_view text) {
    return {chat, author, net::sha256_hex(folded_text(text))};
}

base::awaitable<base::result<std::optional<opinion>>> read_opinion(
    storage::batcher& reads,
    asked_text const& asked,
    std::chrono::hours kept_for,
    base::duration deadline
) {
    base::json_row row{
        {"chat_id", base::raw(asked.chat)}, {"digest", asked.sha256}, {"hours", kept_for.count()}};
    storage::write look{&select_opinion, std::move(row).text()};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    std::optional<opinion> kept;
    for (auto const& entry : *rows) kept = opinion{entry.boolean(1), entry.text(2)};
    co_return kept;
}

storage::write opinion_row(asked_text const& asked, opinion const& opinion) {
    auto const reason = base::as_utf8(opinion.reason);
    base::json_row row{
        {"chat_id", base::raw(asked.chat)},
        {"digest", asked.sha256},
        {"user_id", base::raw(asked.author)},
        {"is_spam", opinion.is_spam},
        {"reason", reason}};
    return {&keep_opinions, std::move(row).text()};
}

} // namespace postrider::agent::spam
