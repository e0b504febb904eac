#include "storage/refusals.hpp"

#include "base/log.hpp"
#include "storage/pg/failure.hpp"

namespace postrider::storage {

std::optional<std::string> lasting_refusal(base::error const& failed) {
    auto const reason = pg::lasting_refusal(failed);
    if (!reason) return std::nullopt;
    return std::string(*reason);
}

std::optional<std::string> denial(database_error const& defect) {
    auto const reason = pg::denial(defect.what());
    if (!reason) return std::nullopt;
    return std::string(*reason);
}

void refusals::note(std::string_view batcher, base::result<void> const& outcome) {
    if (outcome)
        note_committed();
    else if (auto const reason = lasting_refusal(outcome.error()))
        note_refused(batcher, outcome.error(), *reason);
}

void refusals::note_refused(
    std::string_view batcher, base::error const& error, std::string reason
) {
    last_ = clock_.steady();
    if (!reason_)
        base::log::error(
            "database.commits_refused", {{"batcher", std::string(batcher)}, {"error", error}}
        );
    if (reason_ == reason) return;
    reason_ = std::move(reason);
    changed_(reason_);
}

void refusals::note_committed() {
    // A commit that needs no room, a heartbeat for one, succeeds on a full disk too.
    if (!reason_ || clock_.steady() - last_ < quiet) return;
    reason_.reset();
    base::log::info("database.commits_resumed");
    changed_(reason_);
}

} // namespace postrider::storage
