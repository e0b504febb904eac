#include "agent/spam/store/training_preview.hpp"

#include "agent/spam/store/verdicts.hpp"

#include <algorithm>

namespace postrider::agent::spam {

namespace {

// Those that spam_withdraw_text() takes back.
constexpr storage::statement count_spam_samples{"spam.equal_samples", R"(
select count(*) from postrider.spam_sample x
where x.chat_id in ($1::bigint, 0) and x.kind = 'spam' and x.withdrawn_at is null and md5(x.content) = md5($2::text)
  and x.content = $2::text)"};

std::vector<std::string> recent_texts(storage::transaction& tx, chat_id chat) {
    auto const group = chat == shared_samples ? std::nullopt : std::optional(chat);
    std::vector<std::string> texts;
    for (auto& verdict : newest_verdicts(tx, group, most_judged_again))
        texts.push_back(std::move(verdict.text));
    return texts;
}

knowledge with_lesson(knowledge learned, lesson const& lesson) {
    if (lesson.kind != lesson_kind::stop_word) {
        bool const is_spam = lesson.kind == lesson_kind::spam;
        learned.add({is_spam ? kind::spam : kind::ham, lesson.text});
        return learned;
    }
    std::vector<std::string> words{lesson.text};
    for (auto const& word : learned.stop_words()) words.push_back(word.written);
    learned.set_stop_words(words);
    return learned;
}

// No sample of spam any more.
knowledge with_ham(storage::transaction& tx, knowledge learned, lesson const& ham) {
    auto withdrawn = tx.query(count_spam_samples, {ham.chat, ham.text}).front().int64(0);
    for (; withdrawn > 0; --withdrawn) (void)learned.remove({kind::spam, ham.text});
    return with_lesson(std::move(learned), ham);
}

} // namespace

training_effect preview_training(storage::transaction& tx, lesson const& lesson) {
    auto const before = load_knowledge(tx, lesson.chat);
    auto const after = with_lesson(before, lesson);
    return preview({before, after, lesson.text}, recent_texts(tx, lesson.chat));
}

std::optional<training_effect> preview_unban(
    storage::transaction& tx, chat_id chat, std::vector<caught_message> const& bans
) {
    auto const before = load_knowledge(tx, chat);
    auto after = before;
    std::vector<std::string> texts;
    for (auto const& ban : bans) {
        lesson const ham{.chat = chat, .kind = lesson_kind::ham, .text = ban.text};
        if (!prepare(ham) || std::ranges::find(texts, ban.text) != texts.end()) continue;
        after = with_ham(tx, std::move(after), ham);
        texts.push_back(ban.text);
    }
    if (texts.empty()) return std::nullopt;
    auto others = recent_texts(tx, chat);
    others.insert(others.end(), texts.begin() + 1, texts.end());
    return preview({before, after, texts.front()}, others);
}

} // namespace postrider::agent::spam
