#pragma once
// What the filter knows in each group, kept in this process. A training makes a group's revision another one, and the next
// message is judged by what was learned. On the executor's one thread.
#include "agent/spam/knowledge.hpp"
#include "agent/spam/store/samples.hpp"
#include "agent/spam/store/training_preview.hpp"
#include "base/async.hpp"
#include "base/clock.hpp"
#include "storage/database.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace postrider::agent::spam {

// How often the stored samples have changed; none: there never were any.
struct sample_revisions {
    std::optional<std::int64_t> shared = {};
    std::optional<std::int64_t> own = {}; // of the group

    bool operator==(sample_revisions const&) const = default;
};

class knowledge_cache {
public:
    // Of groups with samples of their own; the others share one.
    static constexpr std::size_t most_kept = 64;

    // The database outlives the cache.
    explicit knowledge_cache(storage::database& db) : db_(db) {}

    // Failures as of database::run().
    base::awaitable<base::result<std::shared_ptr<knowledge const>>> find(
        chat_id chat, sample_choice choice, sample_revisions current, base::duration deadline
    );
    // What a training would change now.
    base::awaitable<base::result<training_effect>> preview(lesson lesson, base::duration deadline);

private:
    using key = std::pair<chat_id, sample_choice>;
    struct kept {
        sample_revisions revisions;
        std::shared_ptr<knowledge const> learned;
        std::uint64_t used = 0; // as of uses_
    };

    void forget_oldest();

    storage::database& db_;
    std::map<key, kept> all_;
    std::uint64_t uses_ = 0;
};

} // namespace postrider::agent::spam
