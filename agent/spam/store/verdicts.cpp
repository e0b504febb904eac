#include "agent/spam/store/verdicts.hpp"

#include "agent/spam/recent_messages.hpp"
#include "agent/spam/store/optional_param.hpp"
#include "agent/spam/verdict_json.hpp"
#include "base/json/json.hpp"
#include "base/json/row.hpp"
#include "base/utf8.hpp"
#include "storage/stores/chats.hpp"

namespace postrider::agent::spam {

namespace {

constexpr storage::statement insert_verdict{
    "spam.record_verdict",
    R"(
insert into postrider.spam_verdict as v
    (chat_id, message_id, wording, user_id, is_spam, points, threshold, checks, content, counts, is_caught)
select distinct on (t.chat_id, t.message_id, t.wording) t.chat_id, t.message_id, t.wording, t.user_id, t.is_spam, t.points,
       t.threshold, t.checks, t.content, t.counts,
       exists (select from postrider.spam_catch c
               where c.chat_id = t.chat_id and c.message_id = t.message_id and c.user_id = t.user_id)
from json_to_recordset($1::json)
    as t(i int, chat_id bigint, message_id bigint, wording bigint, user_id bigint, is_spam boolean, points float8,
         threshold int, checks jsonb, content text, counts boolean)
order by t.chat_id, t.message_id, t.wording, t.i desc
on conflict (chat_id, message_id, wording) do update
set is_spam = excluded.is_spam, points = excluded.points, threshold = excluded.threshold, checks = excluded.checks,
    content = excluded.content, counts = v.counts or excluded.counts, judged_at = excluded.judged_at,
    is_caught = excluded.is_caught
)",
    58};

// As verdict_in() reads it, but for the name.
#define POSTRIDER_VERDICT                                                                          \
    "v.chat_id, v.message_id, v.wording, v.user_id, v.is_spam, v.points::text, v.threshold, "      \
    "v.checks, v.content, postrider.iso(v.judged_at), "
#define POSTRIDER_NAMED_VERDICT                                                                    \
    POSTRIDER_VERDICT "(select m.sender_name from postrider.message m "                            \
                      "where m.chat_id = v.chat_id and m.number_elsewhere = v.message_id limit 1)"

constexpr storage::statement select_verdicts{"spam.verdicts", "select " POSTRIDER_NAMED_VERDICT R"(
from postrider.spam_verdict v where v.chat_id = $1::bigint and v.message_id = $2::bigint order by v.judged_at desc)"};

#define POSTRIDER_PAGE                                                                             \
    "select " POSTRIDER_NAMED_VERDICT                                                              \
    ", c.action, c.caught_by, postrider.iso(c.undone_at), c.undone_by, c.refused from "
#define POSTRIDER_VERDICTS_WHERE(condition)                                                        \
    "(select v.* from postrider.spam_verdict v where " condition                                   \
    " and ($1::bigint is null or v.user_id = $1)"                                                  \
    " and ($2::timestamptz is null or v.judged_at >= $2)"                                          \
    " and v.judged_at <= coalesce($3::timestamptz, 'infinity')"                                    \
    " and ($3::timestamptz is null or (v.judged_at, v.chat_id, v.message_id, v.wording)"           \
    " < ($3, $4::bigint, $5::bigint, $6::bigint))"                                                 \
    " order by v.judged_at desc, v.chat_id desc, v.message_id desc, v.wording desc"                \
    " limit $7::bigint) v"                                                                         \
    " left join postrider.spam_catch c on c.chat_id = v.chat_id"                                   \
    " and c.message_id = v.message_id and c.user_id = v.user_id"                                   \
    " order by v.judged_at desc, v.chat_id desc, v.message_id desc, v.wording desc"

// A message is caught once, whatever it said before and afterwards. Each page is read by an index of its own: what is spam is rare,
// and a group's verdicts stand among those of all.
constexpr storage::statement select_verdict_page{
    "spam.verdict_page",
    POSTRIDER_PAGE POSTRIDER_VERDICTS_WHERE(
        "($8::boolean is null or (v.is_spam or v.is_caught) = $8)"
    )};

constexpr storage::statement select_caught_page{
    "spam.caught_page", POSTRIDER_PAGE POSTRIDER_VERDICTS_WHERE("(v.is_spam or v.is_caught)")};

// Of a group, and of what it was before it became a supergroup.
#define POSTRIDER_PAGE_OF_GROUP                                                                    \
    POSTRIDER_PAGE "unnest($8::bigint[]) as g(chat_id) cross join lateral "

constexpr storage::statement select_verdict_page_of_group{
    "spam.verdict_page_of_group",
    POSTRIDER_PAGE_OF_GROUP POSTRIDER_VERDICTS_WHERE(
        "v.chat_id = g.chat_id and ($9::boolean is null or (v.is_spam or v.is_caught) = $9)"
    ) " limit $7::bigint"};

constexpr storage::statement select_caught_page_of_group{
    "spam.caught_page_of_group",
    POSTRIDER_PAGE_OF_GROUP POSTRIDER_VERDICTS_WHERE(
        "v.chat_id = g.chat_id and (v.is_spam or v.is_caught)"
    ) " limit $7::bigint"};

constexpr storage::statement select_newest_verdicts{
    "spam.newest_verdicts", "select " POSTRIDER_VERDICT R"(''
from postrider.spam_verdict v where $1::bigint is null or v.chat_id = $1 order by v.judged_at desc limit $2::bigint)"};

storage::statement const& page_of(bool is_of_group, bool is_caught) {
    if (is_of_group) return is_caught ? select_caught_page_of_group : select_verdict_page_of_group;
    return is_caught ? select_caught_page : select_verdict_page;
}

std::string chats_text(storage::transaction& tx, chat_id chat) {
    std::string text = "{" + base::to_string(chat);
    for (auto const former : storage::former_chats(tx, chat)) text += "," + base::to_string(former);
    return text + "}";
}

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
    auto const chats = filter.chat ? std::optional(chats_text(tx, *filter.chat)) : std::nullopt;
    bool const is_caught = filter.is_spam.value_or(false);
    std::vector<storage::param> params{
        or_null(filter.user),
        or_null(since),
        or_null(before ? std::optional(place.judged_at) : std::nullopt),
        place.chat,
        place.message,
        place.wording,
        filter.limit};
    if (chats) params.emplace_back(*chats);
    if (!is_caught) params.push_back(or_null(filter.is_spam));
    std::vector<listed_verdict> verdicts;
    for (auto const& row : tx.query(page_of(chats.has_value(), is_caught), params)) {
        listed_verdict listed{verdict_in(row)};
        if (auto action = row.optional_text(11))
            listed.caught = {
                std::move(*action),
                row.text(12),
                row.optional_text(13),
                row.optional_text(14),
                row.optional_text(15)};
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
