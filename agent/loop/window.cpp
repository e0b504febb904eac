#include "agent/loop/window.hpp"

#include "base/json_text.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace postrider::agent {

namespace {

using iterator = std::vector<chat_message>::iterator;

constexpr auto unlimited = std::numeric_limits<std::size_t>::max();

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

std::size_t characters(chat_message const& message) {
    auto total = base::count_characters(message.content);
    for (auto const& call : message.calls) total += base::json_text(call.arguments).size();
    if (!message.provider_state.is_null()) total += base::json_text(message.provider_state).size();
    return total;
}

std::size_t from_end(std::vector<chat_message> const& history, std::size_t count) {
    return history.size() - std::min(history.size(), count);
}

// The first of the newest messages that have no more characters together.
std::size_t start_within(std::vector<chat_message> const& history, std::size_t most) {
    if (most >= unlimited / 3 * 2) return 0; // nothing is counted
    auto start = history.size();
    for (std::size_t total = 0; start > 0; --start) {
        total += characters(history[start - 1]);
        if (total > most) break;
    }
    return start;
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

std::size_t steadiest_start(
    std::vector<chat_message> const& history,
    message_marks const& marks,
    std::size_t earliest,
    std::size_t latest
) {
    std::optional<std::size_t> start;
    for (auto at = earliest; at <= latest && at < history.size(); ++at)
        if (history[at].role == role::user && (!start || marks[at] < marks[*start])) start = at;
    return start.value_or(latest < history.size() ? latest : earliest);
}

std::size_t steady_start(
    std::vector<chat_message> const& history, message_marks const& marks, window_size size
) {
    auto const most = static_cast<std::size_t>(longest_window(size.messages));
    auto const least = static_cast<std::size_t>(std::max(size.messages, 0));
    auto const first = std::max(from_end(history, most), start_within(history, size.characters));
    if (first == 0 && history.size() < most) return 0;
    auto const last =
        std::max({first, from_end(history, least), start_within(history, size.characters / 3 * 2)});
    return steadiest_start(history, marks, first, last);
}

std::vector<chat_message> steady_window(
    std::vector<chat_message> history, message_marks const& marks, window_size size
) {
    auto const start = steady_start(history, marks, size);
    auto const length = static_cast<int>(history.size() - start);
    return window(std::move(history), length);
}

} // namespace postrider::agent
