#pragma once
// Deletes what a banned author wrote in the last 48 hours; Telegram lets nobody delete what is older.
#include "agent/moderation/deed.hpp"
#include "storage/batcher.hpp"

#include <optional>
#include <string>

namespace postrider::agent {

struct cleaned_messages {
    std::size_t count = 0;
    std::optional<base::error> failure = {};
};

// `suffix`: of its steps and effects. `lane`: of the reader, as in storage/stores/group_archive.hpp. Throws as carry_out().
base::awaitable<cleaned_messages> clean_up(
    queue::workflow steps,
    messenger& out,
    storage::batcher& reads,
    spam::caught_message caught,
    std::string suffix,
    committing commit
);

} // namespace postrider::agent
