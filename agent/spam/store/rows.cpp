#include "agent/spam/store/rows.hpp"

#include "base/json/row.hpp"
#include "base/utf8.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::spam {

namespace {

// The last word on each member, in the order of the members.
#define POSTRIDER_MEMBER_WORDS(columns)                                                            \
    "insert into postrider.spam_member as m (chat_id, user_id, " columns ") "                      \
    "select distinct on (c.chat_id, t.user_id) c.chat_id, t.user_id, postrider.now(), t.whose "    \
    "from json_to_recordset($1::json) as t(i int, chat_id bigint, user_id bigint, whose text) "    \
    "cross join lateral (select postrider.current_chat(t.chat_id) as chat_id offset 0) c "         \
    "order by c.chat_id, t.user_id, t.i desc "

constexpr storage::statement approve_members{
    "approve_members",
    POSTRIDER_MEMBER_WORDS("approved_at, approved_by") R"(
on conflict (chat_id, user_id) do update set approved_at = excluded.approved_at, approved_by = excluded.approved_by
)",
    79};

constexpr storage::statement ban_members{
    "ban_members",
    POSTRIDER_MEMBER_WORDS("banned_at, banned_by") R"(
on conflict (chat_id, user_id) do update
set banned_at = excluded.banned_at, banned_by = excluded.banned_by, approved_at = null, approved_by = null
)",
    80};

constexpr storage::statement unban_members{
    "unban_members",
    POSTRIDER_MEMBER_WORDS("approved_at, approved_by") R"(
on conflict (chat_id, user_id) do update
set banned_at = null, banned_by = null, strikes = '{}', approved_at = excluded.approved_at, approved_by = excluded.approved_by
)",
    81};

#undef POSTRIDER_MEMBER_WORDS

// All groups of a batch, before any of them is trained.
constexpr storage::statement lock_trainings{
    "lock_trainings",
    R"(
insert into postrider.spam_training as g (chat_id)
select distinct postrider.current_chat(t.chat_id) as chat_id from json_to_recordset($1::json) as t(i int, chat_id bigint) order by chat_id
on conflict (chat_id) do update set spam = g.spam
)",
    82};

constexpr storage::statement withdraw_texts{
    "withdraw_texts",
    R"(
select t.i, postrider.spam_withdraw_text(postrider.current_chat(t.chat_id), t.kind, t.content, t.whose)
from json_to_recordset($1::json) as t(i int, chat_id bigint, kind text, content text, whose text)
)",
    83};

constexpr storage::statement train_samples{
    "train_samples",
    R"(
select t.i, postrider.spam_train(postrider.current_chat(t.chat_id), t.kind, t.content, t.features, t.origin, t.whose, t.user_id)
from json_to_recordset($1::json) as t(i int, chat_id bigint, kind text, content text, features bigint[], origin text,
                                        whose text, user_id bigint)
)",
    84};

storage::write member_row(storage::statement const& statement, member_word const& word) {
    base::json_row row{
        {"chat_id", base::raw(word.chat)},
        {"user_id", base::raw(word.user)},
        {"whose", word.by_word_of},
    };
    return {&statement, std::move(row).text()};
}

storage::write lock_training(chat_id chat) {
    return {&lock_trainings, base::json_row{{"chat_id", base::raw(chat)}}.text()};
}

} // namespace

storage::write approve_row(member_word const& word) {
    return member_row(approve_members, word);
}

storage::write ban_row(member_word const& word) {
    return member_row(ban_members, word);
}

storage::write unban_row(member_word const& word) {
    return member_row(unban_members, word);
}

base::result<std::vector<storage::write>> train_rows(lesson const& lesson) {
    auto const prepared = prepare(lesson);
    if (!prepared) return prepared.error();
    boost::json::array numbers;
    for (auto const feature : prepared->features)
        numbers.push_back(static_cast<std::int64_t>(feature));
    boost::json::value const features(std::move(numbers));
    base::json_row row{
        {"chat_id", base::raw(lesson.chat)},
        {"kind", name_of(lesson.kind)},
        {"content", prepared->content},
        {"features", features},
        {"origin", name_of(lesson.origin)},
        {"whose", lesson.trained_by},
    };
    if (lesson.user) row.add({"user_id", base::raw(*lesson.user)});
    return std::vector{
        lock_training(lesson.chat), storage::write{&train_samples, std::move(row).text()}};
}

std::vector<storage::write> withdraw_rows(
    chat_id chat, lesson_kind kind, std::string_view text, std::string_view withdrawn_by
) {
    auto const content = base::as_utf8(std::string(text));
    base::json_row row{
        {"chat_id", base::raw(chat)},
        {"kind", name_of(kind)},
        {"content", content},
        {"whose", withdrawn_by},
    };
    return {
        lock_training(chat),
        lock_training(shared_samples),
        {&withdraw_texts, std::move(row).text()}};
}

void apply(storage::transaction& tx, std::vector<storage::write> writes) {
    std::ranges::stable_sort(writes, {}, [](auto const& write) { return write.statement->order; });
    for (auto& write : writes) {
        write.row.insert(1, "\"i\":0,");
        tx.query(*write.statement, {"[" + write.row + "]"});
    }
}

} // namespace postrider::agent::spam
