#include "agent/spam/store/training_preview.hpp"

#include "agent/spam/store/verdicts.hpp"

namespace postrider::agent::spam {

namespace {

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

} // namespace

training_effect preview_training(storage::transaction& tx, lesson const& lesson) {
    auto const before = load_knowledge(tx, lesson.chat);
    auto const after = with_lesson(before, lesson);
    return preview({before, after, lesson.text}, recent_texts(tx, lesson.chat));
}

} // namespace postrider::agent::spam
