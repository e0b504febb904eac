#pragma once
// The transactional inbox: every update that was answered 200, once, with what became of it.
//
// Written in the intake's commits only. Statement order 10: first in its transaction, since whether
// the update is new decides everything else.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <optional>
#include <string>

namespace postrider::storage {

struct inbox_row {
    bot_id bot{};
    update_id update{};
    std::string disposition;           // job, event, ignored, rejected
    std::optional<std::string> reason; // of ignored and rejected: the rule or the error code
    std::optional<std::string> raw;    // of rejected: its bytes, any
    std::optional<chat_id> heard_from; // a chat that wrote: it is not blocked any more
};

// Adds the update. Its unit gets one row back when the update is new, none when it was seen before
// (in the same batch, too).
write add_update(inbox_row const& row);

// An update that was added in the same commit is ignored after all, by that rule. Returns no row.
write ignore_update(bot_id bot, update_id update, std::string_view rule);
// It starts no job, and belongs to one that is there. Returns no row.
write give_update_to_job(bot_id bot, update_id update);

} // namespace postrider::storage
