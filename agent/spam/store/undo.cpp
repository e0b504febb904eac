#include "agent/spam/store/undo.hpp"

#include "agent/spam/store/reports.hpp"
#include "agent/spam/store/verdicts.hpp"
#include "base/json/row.hpp"
#include "storage/query.hpp"
#include "storage/stores/chats.hpp"

#include <algorithm>
#include <iterator>

namespace postrider::agent::spam {

namespace {

// What members reported, too few of them for a catch.
constexpr storage::statement select_reported_message{"spam.reported", R"(
select m.sender_id, m.sender_chat_id, coalesce(m.sender_name, ''), m.content
from postrider.message m
where m.chat_id = $1::bigint and m.number_elsewhere = $2::bigint and m.role = 'user'
  and exists (select from postrider.spam_report r where r.chat_id = $1 and r.message_id = $2)
limit 1)"};

// A row where somebody has undone it: each undo approves the author. Then those who want to, by the data of buttons
// (agent/moderation/catch_notice.hpp). An undo by hand (agent/moderation/by_hand.cpp) is one already while its job waits: a ban that was
// ordered before it plans its act later.
constexpr storage::statement select_undone_since{
    "undone_since",
    R"(
with t as materialized (
    select t.* from json_to_recordset($1::json) as t(i int, job_id bigint, lane_id bigint, act text, chat_id bigint, user_id bigint)
)
select t.i, null::bigint, null::boolean
from t
cross join lateral (select max(e.planned_at) as planned_at from postrider.effect e
                    where e.job_id = t.job_id and (e.key = t.act or right(e.key, length(t.act) + 1) = '/' || t.act) offset 0) e
where exists (select from postrider.spam_member m
              where m.chat_id = postrider.current_chat(t.chat_id) and m.user_id = t.user_id
                and m.approved_at > e.planned_at and m.approved_by <> 'messages' offset 0)
union all
select t.i, (j.input ->> 'user')::bigint, coalesce((j.input ->> 'is_owner')::boolean, false)
from t
cross join lateral (select j.input from postrider.job j
                    where j.lane_id = t.lane_id and j.job_id > t.job_id and j.finished_at is null
                      and (j.kind = 'catch_press' and split_part(j.input ->> 'data', ':', 2) = 'ham'
                           and split_part(j.input ->> 'data', ':', 5) = t.user_id::text
                           or j.kind = 'moderation_by_hand' and j.input ->> 'act' <> 'ban' and j.input ->> 'author' = t.user_id::text)
                    order by j.job_id limit 5) j
)",
    10};

std::optional<stored_catch> find_reported(
    storage::transaction& tx, chat_id chat, telegram_message_id message
) {
    auto const rows = tx.query(select_reported_message, {chat, message});
    if (rows.empty()) return std::nullopt;
    auto const& row = rows.front();
    stored_catch reported;
    auto& caught = reported.caught;
    if (auto const sender_chat = row.optional_int64(1)) caught.sender_chat = chat_id{*sender_chat};
    auto const author =
        caught.sender_chat ? base::raw(*caught.sender_chat) : row.optional_int64(0).value_or(0);
    if (author == 0) return std::nullopt;
    caught.key = {chat, message, user_id{author}};
    caught.name = row.text(2);
    caught.text = row.text(3);
    return reported;
}

std::optional<stored_catch> find_judged(
    storage::transaction& tx, chat_id chat, telegram_message_id message
) {
    auto const verdicts = verdicts_of(tx, chat, base::raw(message));
    auto const spam = std::ranges::find_if(verdicts, &stored_verdict::is_spam);
    if (spam == verdicts.end()) return std::nullopt;
    stored_catch judged;
    judged.caught.key = {chat, message, spam->user};
    if (base::raw(spam->user) < 0) judged.caught.sender_chat = chat_id{base::raw(spam->user)};
    judged.caught.text = spam->text;
    return judged;
}

std::optional<stored_catch> find_in(
    storage::transaction& tx, chat_id chat, telegram_message_id message
) {
    if (auto stored = find_catch(tx, chat, message)) return stored;
    if (auto judged = find_judged(tx, chat, message)) return judged;
    return find_reported(tx, chat, message);
}

} // namespace

std::vector<storage::write> undo_rows(caught_message const& caught, std::string_view by_word_of) {
    return unban_rows({caught.key.chat, caught.key.author, std::string(by_word_of)}, {caught});
}

std::vector<storage::write> unban_rows(
    member_word const& word, std::vector<caught_message> const& bans
) {
    std::vector<storage::write> rows{unban_row(word)};
    for (auto const& caught : bans) {
        auto const& key = caught.key;
        rows.push_back(undone_row(key, word.by_word_of));
        rows.push_back(settled_reports_row(key.chat, key.message));
        std::ranges::move(
            withdraw_rows(key.chat, lesson_kind::spam, caught.text, word.by_word_of),
            std::back_inserter(rows)
        );
        lesson ham;
        ham.chat = key.chat;
        ham.kind = lesson_kind::ham;
        ham.text = caught.text;
        ham.origin = lesson_origin::unban;
        ham.trained_by = word.by_word_of;
        ham.user = key.author;
        if (auto learned = train_rows(ham)) std::ranges::move(*learned, std::back_inserter(rows));
    }
    return rows;
}

std::optional<stored_catch> find_undoable(
    storage::transaction& tx, chat_id chat, telegram_message_id message
) {
    if (base::raw(message) <= 0) return std::nullopt; // reactions, of anybody
    if (auto undoable = find_in(tx, chat, message)) return undoable;
    for (auto const former : storage::former_chats(tx, chat))
        if (auto undoable = find_in(tx, former, message)) return undoable;
    return std::nullopt;
}

base::awaitable<base::result<undo_state>> look_for_undo(
    storage::batcher& reads, planned_act_on_member planned, base::duration deadline
) {
    base::json_row row{
        {"job_id", base::raw(planned.job)},
        {"lane_id", base::raw(planned.lane)},
        {"act", planned.act},
        {"chat_id", base::raw(planned.chat)},
        {"user_id", base::raw(planned.author)},
    };
    storage::write look{&select_undone_since, std::move(row).text()};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    undo_state state;
    for (auto const& entry : *rows) {
        if (entry.null(1))
            state.is_undone = true;
        else
            state.waiting.push_back({entry.id<user_id>(1), entry.boolean(2)});
    }
    co_return state;
}

} // namespace postrider::agent::spam
