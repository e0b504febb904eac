#include "agent/spam/store/undo.hpp"

#include "agent/spam/store/rows.hpp"
#include "agent/spam/store/verdicts.hpp"

#include <algorithm>
#include <iterator>

namespace postrider::agent::spam {

std::vector<storage::write> undo_rows(caught_message const& caught, std::string_view by_word_of) {
    auto const& key = caught.key;
    std::string const whose(by_word_of);
    std::vector<storage::write> rows{
        unban_row({key.chat, key.author, whose}), undone_row(key, by_word_of)};
    std::ranges::move(
        withdraw_rows(key.chat, lesson_kind::spam, caught.text, by_word_of),
        std::back_inserter(rows)
    );
    lesson ham;
    ham.chat = key.chat;
    ham.kind = lesson_kind::ham;
    ham.text = caught.text;
    ham.origin = lesson_origin::unban;
    ham.trained_by = whose;
    ham.user = key.author;
    if (auto learned = train_rows(ham)) std::ranges::move(*learned, std::back_inserter(rows));
    return rows;
}

std::optional<stored_catch> find_undoable(
    storage::transaction& tx, chat_id chat, telegram_message_id message
) {
    if (base::raw(message) <= 0) return std::nullopt; // reactions, of anybody
    if (auto stored = find_catch(tx, chat, message)) return stored;
    auto const verdicts = verdicts_of(tx, chat, base::raw(message));
    auto const spam = std::ranges::find_if(verdicts, &stored_verdict::is_spam);
    if (spam == verdicts.end()) return std::nullopt;
    stored_catch judged;
    judged.caught.key = {chat, message, spam->user};
    if (base::raw(spam->user) < 0) judged.caught.sender_chat = chat_id{base::raw(spam->user)};
    judged.caught.text = spam->text;
    return judged;
}

} // namespace postrider::agent::spam
