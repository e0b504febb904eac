#include "agent/spam/store/judgements.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

#include <sstream>

namespace postrider::agent::spam {

namespace {

// Of the recent messages those that duplicates, copies and floods compare.
constexpr storage::statement select_standing{
    "spam.standing",
    R"(
select t.i, m.approved_by, s.revision, o.revision, r.user_id, r.wording, r.characters, extract(epoch from r.sent_at)::bigint,
       case when t.is_reaction then
           (select string_agg(x.reacted_at::text, ' ')
            from (select extract(epoch from y.reacted_at)::bigint as reacted_at from postrider.spam_reaction y
                  where y.chat_id = t.chat_id and y.user_id = t.user_id and y.message_id <> t.message_id
                  order by y.reacted_at desc limit t.most) x) end,
       t.album is not null and exists (select from postrider.spam_catch c
                                       where c.chat_id = t.chat_id and c.album = t.album and c.message_id <> t.message_id
                                         and c.undone_at is null)
from json_to_recordset($1::json) as t(i int, chat_id bigint, user_id bigint, message_id bigint, wording bigint, is_reaction boolean,
                                      most bigint, album text)
left join lateral (select x.approved_by from postrider.spam_member x
                   where x.chat_id = t.chat_id and x.user_id = t.user_id) m on true
left join lateral (select x.revision from postrider.spam_training x where x.chat_id = 0) s on true
left join lateral (select x.revision from postrider.spam_training x where x.chat_id = t.chat_id) o on true
left join lateral (
    select x.* from (select n.* from postrider.spam_recent n
                     where n.chat_id = t.chat_id order by n.recent_id desc limit t.most) x
    where (x.user_id = t.user_id or (x.wording = t.wording and t.wording <> 0))
      and x.message_id is distinct from t.message_id) r on true
order by t.i, r.recent_id
)",
    10};

constexpr storage::statement insert_members{
    "spam.add_members",
    R"(
insert into postrider.spam_member (chat_id, user_id)
select distinct t.chat_id, t.user_id from json_to_recordset($1::json) as t(i int, chat_id bigint, user_id bigint)
order by t.chat_id, t.user_id
on conflict do nothing
)",
    56};

// Before the verdicts, which tell whether a message was counted.
constexpr storage::statement count_messages_of_members{
    "spam.count_messages",
    R"(
with t as materialized (
    select w.chat_id, w.user_id, max(w.enough) as enough, bool_or(w.is_spam) as is_spam,
           count(distinct w.message_id) filter (where not w.is_spam and not exists (
               select from postrider.spam_verdict v
               where v.chat_id = w.chat_id and v.message_id = w.message_id and v.counts)) as passed
    from json_to_recordset($1::json)
        as w(i int, chat_id bigint, user_id bigint, message_id bigint, is_spam boolean, enough bigint)
    group by w.chat_id, w.user_id order by w.chat_id, w.user_id
), held as materialized (
    select t.* from t cross join lateral (
        select m.user_id from postrider.spam_member m
        where m.chat_id = t.chat_id and m.user_id = t.user_id for update) m
)
update postrider.spam_member m
set messages = case when h.is_spam then 0 else m.messages + h.passed end,
    approved_at = case when not h.is_spam then
        coalesce(m.approved_at, case when m.messages + h.passed >= h.enough then postrider.now() end) end,
    approved_by = case when not h.is_spam then
        coalesce(m.approved_by, case when m.messages + h.passed >= h.enough then 'messages' end) end
from held h
where m.chat_id = any(array(select chat_id from held)) and m.user_id = any(array(select user_id from held))
  and m.chat_id + 0 = h.chat_id and m.user_id + 0 = h.user_id and coalesce(m.approved_by, 'messages') = 'messages'
)",
    57};

constexpr storage::statement insert_recent_messages{
    "spam.remember",
    R"(
insert into postrider.spam_recent (chat_id, message_id, user_id, wording, characters, sent_at)
select distinct on (t.chat_id, t.message_id) t.chat_id, t.message_id, t.user_id, t.wording, t.characters, to_timestamp(t.sent_at)
from json_to_recordset($1::json)
    as t(i int, chat_id bigint, message_id bigint, user_id bigint, wording bigint, characters int, sent_at bigint)
order by t.chat_id, t.message_id, t.i desc
on conflict (chat_id, message_id) do update set wording = excluded.wording, characters = excluded.characters
)",
    59};

constexpr storage::statement insert_reactions{
    "spam.remember_reaction",
    R"(
insert into postrider.spam_reaction as r (chat_id, user_id, message_id, reacted_at)
select t.chat_id, t.user_id, t.message_id, to_timestamp(max(t.sent_at))
from json_to_recordset($1::json) as t(i int, chat_id bigint, user_id bigint, message_id bigint, sent_at bigint)
group by t.chat_id, t.user_id, t.message_id order by t.chat_id, t.user_id, t.message_id
on conflict (chat_id, user_id, message_id) do update set reacted_at = greatest(r.reacted_at, excluded.reacted_at)
)",
    59};

recent_message recent_of(message const& message) {
    recent_messages window;
    window.remember(message, normalize(judged_text(message)));
    return window.messages.back();
}

base::json_row row_about(judged_message const& judged) {
    return {
        {"chat_id", base::raw(judged.chat)},
        {"user_id", judged.content.author.id},
        {"message_id", judged.message}};
}

storage::write remembered(judged_message const& judged) {
    if (judged.content.is_reaction) {
        auto row = row_about(judged);
        row.add({"sent_at", judged.content.sent_at.time_since_epoch().count()});
        return {&insert_reactions, std::move(row).text()};
    }
    auto const recent = recent_of(judged.content);
    auto row = row_about(judged);
    row.add({"wording", static_cast<std::int64_t>(recent.wording)});
    row.add({"characters", recent.characters});
    row.add({"sent_at", recent.sent_at.time_since_epoch().count()});
    return {&insert_recent_messages, std::move(row).text()};
}

std::vector<std::chrono::sys_seconds> times_in(std::string const& seconds) {
    std::vector<std::chrono::sys_seconds> times;
    std::istringstream words(seconds);
    for (std::int64_t second = 0; words >> second;)
        times.emplace_back(std::chrono::seconds(second));
    return times;
}

acquaintance acquaintance_of(std::optional<std::string> const& approved_by) {
    if (!approved_by) return acquaintance::stranger;
    return *approved_by == "messages" ? acquaintance::approved : acquaintance::trusted;
}

} // namespace

base::awaitable<base::result<standing>> read_standing(
    storage::batcher& reads, judged_message const& judged, base::duration deadline
) {
    auto row = row_about(judged);
    row.add({"wording", static_cast<std::int64_t>(recent_of(judged.content).wording)});
    row.add({"is_reaction", judged.content.is_reaction});
    row.add({"most", most_recent_messages});
    if (!judged.content.album.empty()) row.add({"album", judged.content.album});
    storage::write look{&select_standing, std::move(row).text()};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    standing current;
    for (auto const& entry : *rows) {
        current.acquaintance = acquaintance_of(entry.optional_text(1));
        current.revisions = {entry.optional_int64(2), entry.optional_int64(3)};
        current.recent.reactions = times_in(entry.optional_text(8).value_or(""));
        current.recent.is_album_caught = entry.boolean(9);
        if (entry.null(4)) continue;
        current.recent.messages.push_back(
            {entry.int64(4),
             static_cast<std::uint64_t>(entry.int64(5)),
             static_cast<std::uint32_t>(entry.int64(6)),
             std::chrono::sys_seconds(std::chrono::seconds(entry.int64(7)))}
        );
    }
    co_return current;
}

std::vector<storage::write> rows_of(judged_message const& judged, judgement const& judgement) {
    std::vector<storage::write> rows;
    bool const is_spam = judgement.verdict.is_spam;
    if (is_spam || judgement.counts) {
        rows.push_back({&insert_members, row_about(judged).text()});
        auto row = row_about(judged);
        row.add({"is_spam", is_spam});
        row.add({"enough", judgement.enough});
        rows.push_back({&count_messages_of_members, std::move(row).text()});
    }
    bool const has_wording = !judged.content.is_reaction; // the message is somebody else's
    if (has_wording && (judgement.is_kept || judgement.counts))
        rows.push_back(verdict_row(judged, judgement.verdict, judgement.counts));
    rows.push_back(remembered(judged));
    return rows;
}

} // namespace postrider::agent::spam
