#include "agent/spam/store/verdicts.hpp"

#include "agent/spam/recent_messages.hpp"
#include "agent/spam/store/optional_param.hpp"
#include "agent/spam/verdict_json.hpp"
#include "base/json/json.hpp"
#include "base/json/row.hpp"
#include "base/utf8.hpp"

namespace postrider::agent::spam {

namespace {

constexpr storage::statement insert_verdict{
    "spam.record_verdict",
    R"(
insert into postrider.spam_verdict as v
    (chat_id, message_id, wording, user_id, is_spam, points, threshold, checks, content, counts)
select distinct on (t.chat_id, t.message_id, t.wording) t.chat_id, t.message_id, t.wording, t.user_id, t.is_spam, t.points,
       t.threshold, t.checks, t.content, t.counts
from json_to_recordset($1::json)
    as t(i int, chat_id bigint, message_id bigint, wording bigint, user_id bigint, is_spam boolean, points float8,
         threshold int, checks jsonb, content text, counts boolean)
order by t.chat_id, t.message_id, t.wording, t.i desc
on conflict (chat_id, message_id, wording) do update
set is_spam = excluded.is_spam, points = excluded.points, threshold = excluded.threshold, checks = excluded.checks,
    content = excluded.content, counts = v.counts or excluded.counts, judged_at = excluded.judged_at
)",
    58};

constexpr storage::statement select_verdicts{"spam.verdicts", R"(
select v.chat_id, v.message_id, v.wording, v.user_id, v.is_spam, v.points::text, v.threshold, v.checks, v.content, postrider.iso(v.judged_at),
       (select m.sender_name from postrider.message m
        where m.chat_id = v.chat_id and m.number_elsewhere = v.message_id limit 1)
from postrider.spam_verdict v where v.chat_id = $1::bigint and v.message_id = $2::bigint order by v.judged_at desc)"};

// A message is caught once, whatever it said before and afterwards.
constexpr storage::statement select_verdict_page{"spam.verdict_page", R"(
select v.chat_id, v.message_id, v.wording, v.user_id, v.is_spam, v.points::text, v.threshold, v.checks, v.content, postrider.iso(v.judged_at),
       (select m.sender_name from postrider.message m
        where m.chat_id = v.chat_id and m.number_elsewhere = v.message_id limit 1),
       c.action, c.caught_by, postrider.iso(c.undone_at), c.undone_by
from postrider.spam_verdict v
left join postrider.spam_catch c on c.chat_id = v.chat_id and c.message_id = v.message_id and c.user_id = v.user_id
where ($1::bigint is null or v.chat_id = $1) and ($2::bigint is null or v.user_id = $2)
  and ($3::boolean is null or (v.is_spam or c.chat_id is not null) = $3)
  and ($4::timestamptz is null or v.judged_at >= $4)
  and ($5::timestamptz is null
       or (v.judged_at, v.chat_id, v.message_id, v.wording) < ($5, $6::bigint, $7::bigint, $8::bigint))
order by v.judged_at desc, v.chat_id desc, v.message_id desc, v.wording desc limit $9::bigint)"};

constexpr storage::statement select_newest_verdicts{"spam.newest_verdicts", R"(
select v.chat_id, v.message_id, v.wording, v.user_id, v.is_spam, v.points::text, v.threshold, v.checks, v.content, postrider.iso(v.judged_at), ''
from postrider.spam_verdict v where $1::bigint is null or v.chat_id = $1 order by v.judged_at desc limit $2::bigint)"};

stored_verdict verdict_in(storage::row const& row) {
    return {
        .chat = row.id<chat_id>(0),
        .message = row.int64(1),
        .wording = row.int64(2),
        .user = row.id<user_id>(3),
        .name = row.optional_text(10).value_or(""),
        .is_spam = row.boolean(4),
        .points = std::stod(row.text(5)),
        .threshold = static_cast<int>(row.int64(6)),
        .checks = row.json(7),
        .text = row.text(8),
        .judged_at = row.text(9)};
}

std::vector<stored_verdict> verdicts_in(storage::rows const& rows) {
    std::vector<stored_verdict> verdicts;
    for (auto const& row : rows) verdicts.push_back(verdict_in(row));
    return verdicts;
}

} // namespace

storage::write verdict_row(judged_message const& judged, verdict const& verdict, bool counts) {
    auto const text = base::as_utf8(judged_text(judged.content));
    boost::json::value const points(verdict.points);
    auto const json = verdict_json(verdict);
    base::json_row row{
        {"chat_id", base::raw(judged.chat)},
        {"message_id", judged.message},
        {"wording", static_cast<std::int64_t>(wording_of(normalize(text)))},
        {"user_id", judged.content.author.id},
        {"is_spam", verdict.is_spam},
        {"points", points},
        {"threshold", verdict.threshold},
        {"checks", json.at("checks")},
        {"content", text},
        {"counts", counts}};
    return {&insert_verdict, std::move(row).text()};
}

void record_verdict(
    storage::transaction& tx, judged_message const& judged, verdict const& verdict
) {
    tx.query(insert_verdict, {"[" + verdict_row(judged, verdict, false).row + "]"});
}

verdict verdict_of(stored_verdict const& stored) {
    return {stored.is_spam, stored.points, stored.threshold, results_from(stored.checks)};
}

std::vector<stored_verdict> verdicts_of(
    storage::transaction& tx, chat_id chat, std::int64_t message
) {
    return verdicts_in(tx.query(select_verdicts, {chat, message}));
}

verdict_place place_of(stored_verdict const& verdict) {
    return {verdict.judged_at, verdict.chat, verdict.message, verdict.wording};
}

std::vector<listed_verdict> list_verdicts(storage::transaction& tx, verdict_filter const& filter) {
    auto const& before = filter.before;
    auto const place = before.value_or(verdict_place{});
    auto const since =
        filter.since ? std::optional(base::to_iso8601(*filter.since, true)) : std::nullopt;
    std::vector<listed_verdict> verdicts;
    for (auto const& row : tx.query(
             select_verdict_page,
             {or_null(filter.chat),
              or_null(filter.user),
              or_null(filter.is_spam),
              or_null(since),
              or_null(before ? std::optional(place.judged_at) : std::nullopt),
              place.chat,
              place.message,
              place.wording,
              filter.limit}
         )) {
        listed_verdict listed{verdict_in(row)};
        if (auto action = row.optional_text(11))
            listed.caught = {
                std::move(*action), row.text(12), row.optional_text(13), row.optional_text(14)};
        verdicts.push_back(std::move(listed));
    }
    return verdicts;
}

std::vector<stored_verdict> newest_verdicts(
    storage::transaction& tx, std::optional<chat_id> chat, int limit
) {
    return verdicts_in(tx.query(select_newest_verdicts, {or_null(chat), limit}));
}

} // namespace postrider::agent::spam
