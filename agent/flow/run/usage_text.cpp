#include "agent/flow/run/usage_text.hpp"

#include "agent/flow/budgets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postrider::agent {

namespace {

using language::counted;
using language::in_words;

std::string cents(std::int64_t micro, language::notices const& words) {
    constexpr double micro_in_a_cent = 10'000;
    auto text = fmt::format("{:.2f}", static_cast<double>(micro) / micro_in_a_cent);
    text.replace(text.find('.'), 1, words.decimal_mark);
    return text;
}

// "2026-11-24 00:00 Europe/Berlin" as people write it.
std::string moment_of(std::string_view opens, std::string_view language) {
    constexpr std::size_t minute_size = std::string_view("2026-11-24 00:00").size();
    auto const zone = opens.substr(std::min(opens.size(), minute_size));
    return language::due_text(opens.substr(0, minute_size), language::replies_in(language))
        .append(zone);
}

std::string line_of_turns(storage::own_usage const& usage, std::string_view language) {
    auto const& words = language::notices_in(language);
    auto const not_counted = usage.running > 0 ? ' ' + words.not_counted_yet : std::string();
    if (usage.calls == 0)
        return (usage.running > 0 ? words.not_answered_yet : words.used_no_model) + not_counted;
    return in_words(
               usage.cost_micro > 0 ? words.used_today_for : words.used_today,
               counted(usage.calls, words.calls, language),
               counted(usage.tokens_in + usage.tokens_out, words.tokens, language),
               usage.tokens_in,
               usage.tokens_out,
               in_words(words.cents, cents(usage.cost_micro, words))
           ) +
           not_counted;
}

bool is_used_up(storage::used_budget const& budget) {
    auto const reached = [](std::int64_t most, std::int64_t used) {
        return most > 0 && used >= most;
    };
    auto const& most = budget.of.most;
    return reached(most.calls, budget.used.calls) || reached(most.tokens, budget.used.tokens) ||
           reached(most.cost_micro, budget.used.cost_micro);
}

std::string remainder_of(storage::used_budget const& budget, std::string_view language) {
    auto const& words = language::notices_in(language);
    auto const& most = budget.of.most;
    auto const& used = budget.used;
    std::string text;
    auto const add = [&](std::string_view of) {
        text.append(text.empty() ? "" : words.comma).append(of);
    };
    auto const remaining = [](std::int64_t limit, std::int64_t spent) {
        return std::max<std::int64_t>(limit - spent, 0);
    };
    auto const add_counted = [&](std::int64_t limit, std::int64_t spent, auto const& noun) {
        auto const of = counted(limit, noun, language);
        if (limit > 0) add(in_words(words.of_most, remaining(limit, spent), of));
    };
    add_counted(most.calls, used.calls, words.calls);
    add_counted(most.tokens, used.tokens, words.tokens);
    if (most.cost_micro > 0) {
        auto const of = in_words(words.cents, cents(most.cost_micro, words));
        auto const left = remaining(most.cost_micro, used.cost_micro);
        add(in_words(words.of_most, cents(left, words), of));
    }
    return text;
}

// What others used is none of the person's business.
bool is_shared(storage::budget const& budget) {
    static constexpr std::array<std::string_view, 2> personal_scopes{"user", "chat"};
    return std::ranges::find(personal_scopes, budget.scope) == personal_scopes.end();
}

} // namespace

std::string usage_text(storage::own_usage const& usage, std::string_view language) {
    auto const& words = language::notices_in(language);
    auto const opens = moment_of(usage.opens, language);
    auto text = line_of_turns(usage, language);
    for (auto const& budget : usage.budgets) {
        auto const name = name_of_budget(budget.of.scope, budget.of.subject, words);
        if (is_used_up(budget))
            text += '\n' + in_words(words.used_up, name, opens);
        else if (!is_shared(budget.of))
            text += '\n' + in_words(words.left, name, opens, remainder_of(budget, language));
    }
    return text;
}

} // namespace postrider::agent
