#include "queue/replay.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace postrider::queue {

replay::replay(std::vector<std::string> recorded) : recorded_(std::move(recorded)) {
    std::erase_if(recorded_, [](auto const& key) { return key.starts_with(undo_prefix); });
    left_.insert(recorded_.begin(), recorded_.end());
}

void replay::ask(std::string const& key) {
    if (left_.empty()) return; // all of the record was asked for: the rest is new
    asked_.push_back(key);
    if (left_.erase(key) > 0) return;
    // A step that failed in between is asked for again.
    if (std::ranges::find(recorded_, key) != recorded_.end()) return;
    throw record_mismatch{diff("asks for " + key)};
}

void replay::end() const {
    if (!left_.empty()) throw record_mismatch{diff("ends")};
}

std::string replay::diff(std::string const& instead) const {
    auto const& next =
        *std::ranges::find_if(recorded_, [&](auto const& key) { return left_.contains(key); });
    return fmt::format(
        "the record has [{}]; the code asked for [{}] and then {} instead of asking for {}",
        fmt::join(recorded_, ", "),
        fmt::join(asked_.begin(), asked_.end() - (instead == "ends" ? 0 : 1), ", "),
        instead,
        next
    );
}

} // namespace postrider::queue
