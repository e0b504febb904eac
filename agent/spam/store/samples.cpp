#include "agent/spam/store/samples.hpp"

#include "agent/spam/features.hpp"
#include "agent/spam/store/optional_param.hpp"
#include "base/names.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

namespace postrider::agent::spam {

namespace {

constexpr base::names<lesson_kind, 3> lesson_kinds{
    {{lesson_kind::spam, "spam"},
     {lesson_kind::ham, "ham"},
     {lesson_kind::stop_word, "stop_word"}}};

constexpr base::names<lesson_origin, 5> lesson_origins{
    {{lesson_origin::command, "command"},
     {lesson_origin::import, "import"},
     {lesson_origin::admin, "admin"},
     {lesson_origin::unban, "unban"},
     {lesson_origin::report, "report"}}};

constexpr base::names<sample_choice, 3> sample_choices{
    {{sample_choice::shared, "shared"},
     {sample_choice::own, "own"},
     {sample_choice::both, "both"}}};

constexpr storage::statement train{
    "spam.train",
    "select postrider.spam_train($1::bigint, $2, $3, $4::bigint[], $5, $6, $7::bigint)"};

constexpr storage::statement withdraw_sample{
    "spam.withdraw", "select postrider.spam_withdraw($1::bigint, $2)"};

constexpr storage::statement select_lessons{"spam.lessons", R"(
select s.sample_id, s.chat_id, s.kind, coalesce(s.content, ''), s.origin, s.trained_by, s.user_id, postrider.iso(s.created_at),
       postrider.iso(s.withdrawn_at), s.withdrawn_by
from postrider.spam_sample s
where ($1::bigint is null or s.chat_id = $1) and ($2::text is null or s.kind = $2) and ($3::boolean or s.withdrawn_at is null)
  and ($4::bigint = 0 or s.sample_id < $4)
order by s.sample_id desc limit $5::bigint)"};

constexpr storage::statement select_lesson{"spam.lesson", R"(
select s.sample_id, s.chat_id, s.kind, coalesce(s.content, ''), s.origin, s.trained_by, s.user_id, postrider.iso(s.created_at),
       postrider.iso(s.withdrawn_at), s.withdrawn_by
from postrider.spam_sample s where s.sample_id = $1::bigint)"};

constexpr storage::statement select_texts{"spam.texts", R"(
select s.kind, s.content from postrider.spam_sample s
where s.chat_id = any($1::bigint[]) and s.withdrawn_at is null order by s.sample_id)"};

constexpr storage::statement select_counts{"spam.counts", R"(
select c.feature, sum(c.spam), sum(c.ham) from postrider.spam_count c
where c.chat_id = any($1::bigint[]) group by c.feature)"};

constexpr storage::statement select_training{"spam.training", R"(
select coalesce(sum(t.spam), 0), coalesce(sum(t.ham), 0) from postrider.spam_training t
where t.chat_id = any($1::bigint[]))"};

std::string array_of(std::vector<feature> const& features) {
    std::string array = "{";
    for (auto const feature : features)
        array +=
            fmt::format("{}{}", array.size() > 1 ? "," : "", static_cast<std::int64_t>(feature));
    return array + "}";
}

feature_count count_in(storage::row const& row, std::size_t first) {
    return {
        static_cast<std::uint32_t>(row.int64(first)),
        static_cast<std::uint32_t>(row.int64(first + 1))};
}

// As an array of Postgres.
std::string chats_of(chat_id chat, sample_choice choice) {
    bool const has_shared = choice != sample_choice::own || chat == shared_samples;
    bool const has_own = choice != sample_choice::shared && chat != shared_samples;
    return fmt::format(
        "{{{}{}{}}}",
        has_shared ? "0" : "",
        has_shared && has_own ? "," : "",
        has_own ? base::to_string(chat) : ""
    );
}

classifier counts_of(storage::transaction& tx, std::string const& chats) {
    classifier counts;
    feature_counts rows;
    for (auto const& row : tx.query(select_counts, {chats}))
        rows.emplace(feature{static_cast<std::uint64_t>(row.int64(0))}, count_in(row, 1));
    counts.add(count_in(tx.query(select_training, {chats}).front(), 0), rows);
    return counts;
}

stored_lesson lesson_in(storage::row const& row) {
    stored_lesson stored;
    stored.id = row.int64(0);
    stored.taught.chat = row.id<chat_id>(1);
    stored.taught.kind = base::named(lesson_kinds, row.view(2)).value();
    stored.taught.text = row.text(3);
    stored.taught.origin = base::named(lesson_origins, row.view(4)).value();
    stored.taught.trained_by = row.text(5);
    if (auto const user = row.optional_int64(6)) stored.taught.user = user_id{*user};
    stored.taught_at = row.text(7);
    stored.withdrawn_at = row.optional_text(8);
    stored.withdrawn_by = row.optional_text(9);
    return stored;
}

} // namespace

std::string_view name_of(lesson_kind kind) noexcept {
    return base::name_of(lesson_kinds, kind);
}

std::optional<lesson_kind> lesson_kind_named(std::string_view name) noexcept {
    return base::named(lesson_kinds, name);
}

std::string_view name_of(lesson_origin origin) noexcept {
    return base::name_of(lesson_origins, origin);
}

base::result<prepared_lesson> prepare(lesson const& lesson) {
    auto content = base::as_utf8(lesson.text);
    auto const text = normalize(content);
    if (text.tokens.empty() || base::has_nul(content))
        return base::error(base::errc::invalid, "a sample needs a word or a sign");
    if (base::count_characters(content) > longest_sample)
        return base::error(
            base::errc::invalid, fmt::format("a sample has at most {} characters", longest_sample)
        );
    prepared_lesson prepared;
    if (lesson.kind != lesson_kind::stop_word)
        prepared.features = features_of(message_of(content), text);
    prepared.content = std::move(content);
    return prepared;
}

base::result<std::int64_t> teach(storage::transaction& tx, lesson const& lesson) {
    auto const prepared = prepare(lesson);
    if (!prepared) return prepared.error();
    auto const rows = tx.query(
        train,
        {lesson.chat,
         name_of(lesson.kind),
         prepared->content,
         array_of(prepared->features),
         name_of(lesson.origin),
         lesson.trained_by,
         or_null(lesson.user)}
    );
    auto const id = rows.front().optional_int64(0);
    if (!id) return base::error(base::errc::conflict, "this sample is there already");
    return *id;
}

bool withdraw(storage::transaction& tx, std::int64_t sample, std::string_view withdrawn_by) {
    return tx.query(withdraw_sample, {sample, withdrawn_by}).front().boolean(0);
}

std::vector<stored_lesson> list_lessons(storage::transaction& tx, lesson_filter const& filter) {
    auto const kind = filter.kind ? std::optional(name_of(*filter.kind)) : std::nullopt;
    std::vector<stored_lesson> lessons;
    for (auto const& row : tx.query(
             select_lessons,
             {or_null(filter.chat), or_null(kind), filter.withdrawn, filter.below, filter.limit}
         ))
        lessons.push_back(lesson_in(row));
    return lessons;
}

std::optional<stored_lesson> find_lesson(storage::transaction& tx, std::int64_t sample) {
    auto const rows = tx.query(select_lesson, {sample});
    return rows.empty() ? std::nullopt : std::optional(lesson_in(rows.front()));
}

std::optional<sample_choice> sample_choice_named(std::string_view name) noexcept {
    return base::named(sample_choices, name);
}

knowledge load_knowledge(storage::transaction& tx, chat_id chat, sample_choice choice) {
    auto learned = default_knowledge();
    auto words = default_stop_words();
    auto const chats = chats_of(chat, choice);
    learned.add(counts_of(tx, chats));
    for (auto const& row : tx.query(select_texts, {chats})) {
        auto const kind = base::named(lesson_kinds, row.view(0)).value();
        if (kind == lesson_kind::stop_word)
            words.push_back(row.text(1));
        else
            learned.index(
                {kind == lesson_kind::spam ? spam::kind::spam : spam::kind::ham, row.text(1)}
            );
    }
    learned.set_stop_words(words);
    return learned;
}

classifier load_counts(storage::transaction& tx, chat_id chat) {
    return counts_of(tx, fmt::format("{{{}}}", base::to_string(chat)));
}

} // namespace postrider::agent::spam
