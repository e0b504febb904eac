#include "server/telegram/failing_updates.hpp"

namespace postrider::telegram {

namespace {

constexpr int most_failures = 5;
constexpr std::size_t most_known = 1000; // beyond, everything fails and no update is at fault

} // namespace

bool failing_updates::failed(bot_id bot, update_id update) {
    if (failing_.size() >= most_known) failing_.clear();
    auto const [entry, added] = failing_.try_emplace({bot, update}, record{0, stored_});
    auto& failure = entry->second;
    return ++failure.failures >= most_failures && stored_ > failure.stored_before;
}

} // namespace postrider::telegram
