#include "agent/spam/preview.hpp"

#include "agent/spam/verdict.hpp"

#include <set>

namespace postrider::agent::spam {

training_effect preview(
    training const& training, std::span<std::string const> texts, rules const& rules
) {
    auto const compare = [&](std::string const& text) {
        auto const message = message_of(text);
        auto const before = judge(message, training.before, rules);
        auto const after = judge(message, training.after, rules);
        return changed_text{text, before.points, after.points, before.is_spam, after.is_spam};
    };
    training_effect effect;
    effect.itself = compare(training.text);
    std::set<std::string_view> judged{training.text};
    for (auto const& text : texts) {
        if (!judged.insert(text).second) continue;
        ++effect.judged;
        auto change = compare(text);
        if (change.was_spam != change.is_spam) effect.changed.push_back(std::move(change));
    }
    return effect;
}

} // namespace postrider::agent::spam
