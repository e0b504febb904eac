#include "storage/reachability.hpp"

#include "base/log.hpp"
#include "storage/refusals.hpp"

namespace postrider::storage {

base::duration tolerated(base::error const& failed) {
    bool const is_away = failed == base::errc::unavailable || failed == base::errc::timeout;
    return is_away && !lasting_refusal(failed) ? tolerated_outage : base::duration{0};
}

void reachability::note_failed(
    base::steady_time attempted, std::string_view connection, base::error const& error
) {
    std::lock_guard lock{mutex_};
    // Another connection was opened meanwhile.
    if (opened_ && attempted < *opened_) return;
    auto const now = clock_.steady();
    // No attempt for so long: the one before was of another outage.
    if (outage_ && now - outage_->last > tolerated_outage) outage_.reset();
    if (!outage_) {
        outage_ = {now, now};
        base::log::warn("database.unreachable", {{"connection", connection}, {"error", error}});
    }
    outage_->last = now;
    auto const lasted = now - outage_->began;
    if (outage_->lasts || lasted < tolerated_outage) return;
    outage_->lasts = true;
    base::log::error(
        "database.still_unreachable",
        {{"connection", connection}, {"error", error}, {"for", lasted}}
    );
}

void reachability::note_opened(std::string_view connection) {
    std::lock_guard lock{mutex_};
    opened_ = clock_.steady();
    if (!outage_) return;
    base::log::info(
        "database.reached", {{"connection", connection}, {"after", *opened_ - outage_->began}}
    );
    outage_.reset();
}

} // namespace postrider::storage
