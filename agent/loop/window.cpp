#include "agent/loop/window.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace postrider::agent {

namespace {

using iterator = std::vector<chat_message>::iterator;

iterator end_of_results(iterator first, iterator last) {
    return std::find_if(first, last, [](auto const& message) {
        return message.role != role::tool;
    });
}

bool answered(chat_message const& asked, iterator first, iterator last) {
    std::multiset<std::string> open;
    for (auto const& call : asked.calls) open.insert(call.id);
    for (auto it = first; it != last; ++it) {
        auto found = open.find(it->call_id);
        if (found == open.end()) return false;
        open.erase(found);
    }
    return open.empty();
}

} // namespace

std::vector<chat_message> window(std::vector<chat_message> history, int limit) {
    auto const keep = std::min(history.size(), static_cast<std::size_t>(std::max(limit, 0)));
    auto at = history.end() - static_cast<std::ptrdiff_t>(keep);
    std::vector<chat_message> seen;
    while (at != history.end()) {
        if (at->role == role::tool) { // its call was cut off
            ++at;
            continue;
        }
        auto const results = at + 1;
        auto const after = end_of_results(results, history.end());
        bool const whole = answered(*at, results, after);
        if (!whole) {
            at->calls.clear();
            at->provider_state = nullptr;
        }
        if (whole || !at->content.empty()) seen.push_back(std::move(*at));
        if (whole) std::move(results, after, std::back_inserter(seen));
        at = after;
    }
    return seen;
}

int longest_window(int limit) noexcept {
    auto const least = std::max(limit, 0);
    return least + least / 2;
}

std::size_t steady_start(
    std::vector<chat_message> const& history, message_marks const& marks, int limit
) {
    auto const most = static_cast<std::size_t>(longest_window(limit));
    if (history.size() < most) return 0;
    auto const last = history.size() - static_cast<std::size_t>(std::max(limit, 0));
    std::optional<std::size_t> start;
    for (auto at = history.size() - most; at <= last && at < history.size(); ++at)
        if (history[at].role == role::user && (!start || marks[at] < marks[*start])) start = at;
    return start.value_or(last);
}

std::vector<chat_message> steady_window(
    std::vector<chat_message> history, message_marks const& marks, int limit
) {
    auto const start = steady_start(history, marks, limit);
    auto const length = static_cast<int>(history.size() - start);
    return window(std::move(history), length);
}

} // namespace postrider::agent
