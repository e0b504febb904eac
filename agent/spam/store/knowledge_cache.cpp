#include "agent/spam/store/knowledge_cache.hpp"

#include <algorithm>

namespace postrider::agent::spam {

namespace {

// That of the samples that come with the filter; it lives as long as the program.
std::shared_ptr<knowledge const> shipped_knowledge() {
    return {std::shared_ptr<void>(), &default_knowledge()};
}

} // namespace

base::awaitable<base::result<std::shared_ptr<knowledge const>>> knowledge_cache::find(
    chat_id chat, sample_choice choice, sample_revisions current, base::duration deadline
) {
    if (choice == sample_choice::shared) current.own.reset();
    if (choice == sample_choice::own) current.shared.reset();
    if (!current.shared && !current.own) co_return shipped_knowledge();
    // Groups without samples of their own know the same.
    auto const place = current.own ? key{chat, choice} : key{shared_samples, sample_choice::shared};
    auto const at = all_.find(place);
    if (at != all_.end() && at->second.revisions == current) {
        at->second.used = ++uses_;
        co_return at->second.learned;
    }
    auto learned = std::make_shared<knowledge>();
    auto load = [learned, place](storage::transaction& tx) {
        *learned = load_knowledge(tx, place.first, place.second);
    };
    auto const loaded = co_await db_.run("spam.knowledge", std::move(load), deadline);
    if (!loaded) co_return loaded.error();
    all_.insert_or_assign(place, kept{current, learned, ++uses_});
    if (all_.size() > most_kept) forget_oldest();
    co_return learned;
}

base::awaitable<base::result<training_effect>> knowledge_cache::preview(
    lesson lesson, base::duration deadline
) {
    auto effect = std::make_shared<training_effect>();
    auto look = [effect, lesson = std::move(lesson)](storage::transaction& tx) {
        *effect = preview_training(tx, lesson);
    };
    auto const looked = co_await db_.run("spam.preview", std::move(look), deadline);
    if (!looked) co_return looked.error();
    co_return std::move(*effect);
}

void knowledge_cache::forget_oldest() {
    all_.erase(std::ranges::min_element(all_, {}, [](auto const& entry) {
        return entry.second.used;
    }));
}

} // namespace postrider::agent::spam
