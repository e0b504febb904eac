#include "agent/loop/window.hpp"

#include "base/json/text.hpp"
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

bool answered(chat_message const& message, iterator first, iterator last) {
    std::multiset<std::string> open_calls;
    for (auto const& call : message.calls) open_calls.insert(call.id);
    for (auto result = first; result != last; ++result) {
        auto open_call = open_calls.find(result->call_id);
        if (open_call == open_calls.end()) return false;
        open_calls.erase(open_call);
    }
    return open_calls.empty();
}

std::size_t characters(chat_message const& message) {
    auto total = base::count_characters(message.content);
    for (auto const& call : message.calls) total += base::json_text(call.arguments).size();
    if (!message.provider_state.is_null()) total += base::json_text(message.provider_state).size();
    return total;
}

// The first of the newest `count` messages that were said.
std::size_t start_of_newest(std::vector<chat_message> const& history, int count) {
    auto start = history.size();
    for (auto at = start; at > 0 && count > 0; --at) {
        if (!was_said(history[at - 1])) continue;
        start = at - 1;
        --count;
    }
    return count > 0 ? 0 : start;
}

// The first of the newest that were said and have no more characters together.
std::size_t start_within(std::vector<chat_message> const& history, std::size_t most) {
    if (most >= unlimited / 3 * 2) return 0; // nothing is counted
    auto start = history.size();
    std::size_t total = 0;
    for (auto at = start; at > 0; --at) {
        if (!was_said(history[at - 1])) continue;
        total += characters(history[at - 1]);
        if (total > most) return start;
        start = at - 1;
    }
    return 0;
}

// Without the oldest calls and results that do not fit beside what was said.
std::vector<chat_message> without_old_rounds(std::vector<chat_message> messages, std::size_t most) {
    if (most == unlimited) return messages;
    std::size_t total = 0;
    for (auto const& message : messages)
        if (was_said(message)) total += characters(message);
    auto first_kept = messages.size();
    for (; first_kept > 0; --first_kept) {
        auto const& message = messages[first_kept - 1];
        if (was_said(message)) continue;
        total += characters(message);
        if (total > most) break;
    }
    std::vector<chat_message> remaining;
    for (std::size_t at = 0; at < messages.size(); ++at) {
        auto& message = messages[at];
        if (at < first_kept && message.role == role::tool) continue; // and window() takes the call
        remaining.push_back(std::move(message));
    }
    return remaining;
}

} // namespace

std::vector<chat_message> window(std::vector<chat_message> history, int limit) {
    auto const kept_count = std::min(history.size(), static_cast<std::size_t>(std::max(limit, 0)));
    auto at = history.end() - static_cast<std::ptrdiff_t>(kept_count);
    std::vector<chat_message> visible;
    while (at != history.end()) {
        if (at->role == role::tool) { // its call was cut off
            ++at;
            continue;
        }
        auto const results = at + 1;
        auto const next_message = end_of_results(results, history.end());
        bool const is_answered = answered(*at, results, next_message);
        if (!is_answered) {
            at->calls.clear();
            at->provider_state = nullptr;
        }
        if (is_answered || !at->content.empty()) visible.push_back(std::move(*at));
        if (is_answered) std::move(results, next_message, std::back_inserter(visible));
        at = next_message;
    }
    return visible;
}

bool was_said(chat_message const& message) noexcept {
    return message.role == role::user || (message.role == role::assistant && message.calls.empty());
}

int count_said(std::vector<chat_message> const& history) noexcept {
    return static_cast<int>(std::ranges::count_if(history, was_said));
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
    auto const start_by_count = start_of_newest(history, size.messages);
    auto const start_by_length = start_within(history, size.characters);
    auto const earliest = std::max(start_of_newest(history, size.most()), start_by_length);
    if (earliest == 0 && count_said(history) < size.most()) return 0;
    auto latest = std::max(earliest, start_by_count);
    if (start_by_length > start_by_count)
        latest = std::max(latest, start_within(history, size.characters / 3 * 2));
    return steadiest_start(history, marks, earliest, latest);
}

std::vector<chat_message> steady_window(
    std::vector<chat_message> history, message_marks const& marks, window_size size
) {
    auto const start = steady_start(history, marks, size);
    history.erase(history.begin(), history.begin() + static_cast<std::ptrdiff_t>(start));
    history = without_old_rounds(std::move(history), size.characters);
    auto const length = static_cast<int>(history.size());
    return window(std::move(history), length);
}

} // namespace postrider::agent
